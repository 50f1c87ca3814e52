import pino from 'pino';

export type Logger = pino.Logger;

/** Fields that hold what people said, their names and addresses, or a secret: never written. */
const PERSONAL = [
  'email',
  'name',
  'password',
  'token',
  'message',
  'text',
  'content',
  'transcript',
  'authorization',
];

/**
 * The server's log: JSON lines, for machines. Messages are static strings; everything else is a field.
 * @param options.destination a file descriptor or stream; the default is standard error, since standard output
 *   belongs to the one line that says the server is ready
 */
export function createLogger(options: {
  level: pino.LevelWithSilent;
  destination?: pino.DestinationStream;
}): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: PERSONAL.flatMap((field) => [field, `*.${field}`]), remove: true },
      serializers: { err: pino.stdSerializers.err },
    },
    options.destination ?? pino.destination({ dest: 2, sync: true }),
  );
}

import { isatty } from 'node:tty';
import pino from 'pino';
import { codeOf } from '#server/lib/error-code';

export type Logger = pino.Logger;

/** Fields with people's words, names, addresses or secrets: never written. */
const PERSONAL = [
  'address',
  'authorization',
  'body',
  'content',
  'email',
  'ip',
  'message',
  'name',
  'password',
  'text',
  'token',
  'transcript',
];

/**
 * The server's log on standard error: JSON lines for machines, short lines for a person at a terminal.
 * Standard output is reserved for the line that says the server is ready. Messages are static strings,
 * everything else is a field, and personal fields are dropped at any depth.
 * @param options.destination receives the JSON lines instead
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
      // An error's message may quote input, such as a query's parameters, and its stack begins with the
      // message.
      serializers: { err: describeError },
    },
    options.destination ?? standardError(),
  );
}

/**
 * What the log keeps of an error: kind, code, place, and causes. Database errors lose their message, because
 * the query builder puts the statement's parameters there.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = codeOf(error);
  const hasParameters = 'params' in error || 'detail' in error;
  return {
    type: error.name,
    ...(code ? { code } : {}),
    ...(hasParameters ? {} : { reason: error.message }),
    at: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 12)
      .map((line) => line.trim()),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

/** Lines that cannot be written are buffered up to this size, then dropped. */
const MAX_UNWRITTEN_CHARACTERS = 1_000_000;

function standardError(): pino.DestinationStream {
  if (isatty(2)) return { write: (line) => void process.stderr.write(`\r\x1b[K${readable(line)}\n`) };
  const stream = pino.destination({ dest: 2, sync: true, maxLength: MAX_UNWRITTEN_CHARACTERS });
  // The reader has gone, or its disk is full; continue to serve.
  stream.on('error', () => {});
  return stream;
}

/** `12:30:05 info   request answered  method=GET status=200` */
export function readable(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const details = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [String(time).slice(11, 19), String(level).padEnd(5), String(msg), details.join(' ')]
    .filter(Boolean)
    .join('  ');
}

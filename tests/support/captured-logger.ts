import { Writable } from 'node:stream';
import { createLogger, type Logger } from '#server/telemetry/logger';

/** A logger whose lines a test can read. */
export function capturedLogger(): { logger: Logger; lines(): Record<string, unknown>[] } {
  const written: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(...chunk.toString().split('\n').filter(Boolean));
      done();
    },
  });
  return {
    logger: createLogger({ level: 'debug', destination }),
    lines: () => written.map((line) => JSON.parse(line)),
  };
}

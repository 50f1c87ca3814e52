import { closeSync, openSync, readSync } from 'node:fs';

const MAX_BYTES = 64 * 1024;
/** A process keeps the settings it began with; a file that changes is read by the next one. */
const known = new Map<string, string>();

/**
 * What a file holds, as an operator's vault hands secrets over, without the space around it. Read once.
 * @throws Error where it cannot be read, or is longer than any secret
 */
export function readSecretFile(path: string): string {
  const before = known.get(path);
  if (before !== undefined) return before;
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    const length = readSync(file, buffer);
    if (length > MAX_BYTES) throw new Error('The file is too long.');
    const secret = buffer.toString('utf8', 0, length).trim();
    known.set(path, secret);
    return secret;
  } finally {
    closeSync(file);
  }
}

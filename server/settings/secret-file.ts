import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

const MAX_BYTES = 64 * 1024;
/** What is in use of each file: what it holds may be half written, or wrong, until somebody has looked at it. */
const inUse = new Map<string, string>();

/**
 * What a file held, as an operator's vault hands secrets over, when it was read first or taken up last; without the space around it.
 * @throws Error where it cannot be read, holds nothing, or is longer than any secret
 */
export function readSecretFile(path: string): string {
  const before = inUse.get(path);
  if (before !== undefined) return before;
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    const secret = secretIn(buffer.subarray(0, readSync(file, buffer)));
    inUse.set(path, secret);
    return secret;
  } finally {
    closeSync(file);
  }
}

/** What a file holds now; `takeUpSecret` is what has it used. @throws Error as `readSecretFile` */
export async function lookAtSecretFile(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    const { bytesRead } = await file.read(buffer);
    return secretIn(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Has a secret used in place of what its file held before. */
export const takeUpSecret = (path: string, secret: string): void => void inUse.set(path, secret);

function secretIn(bytes: Buffer): string {
  if (bytes.length > MAX_BYTES) throw new Error('The file is too long.');
  const secret = bytes.toString('utf8').trim();
  if (!secret) throw new Error('The file is empty.');
  return secret;
}

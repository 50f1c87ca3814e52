import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

const MAX_BYTES = 64 * 1024;
/** The content in use of each file: new content may be incomplete or wrong until it was checked. */
const inUse = new Map<string, string>();

/**
 * A secret file's content, as first read or last taken up, trimmed.
 * @throws Error if it cannot be read, is empty, or is longer than any secret
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

/** A file's current content; `takeUpSecret` puts it to use. @throws Error as `readSecretFile` */
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

/** Uses this secret in place of the file's previous content. */
export const takeUpSecret = (path: string, secret: string): void => void inUse.set(path, secret);

function secretIn(bytes: Buffer): string {
  if (bytes.length > MAX_BYTES) throw new Error('The file is too long.');
  const secret = bytes.toString('utf8').trim();
  if (!secret) throw new Error('The file is empty.');
  return secret;
}

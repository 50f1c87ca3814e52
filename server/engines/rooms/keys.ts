import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '#server/lib/error-code';

const keysSchema = z.object({ apiKey: z.string().min(1), apiSecret: z.string().min(32) });
export type RoomKeys = z.infer<typeof keysSchema>;

/**
 * The embedded room server's keys, created once and kept in the data directory: calls survive a restart
 * because clients return with their tokens.
 * @throws if the data directory cannot be written
 */
export async function keptKeys(dataDir: string): Promise<RoomKeys> {
  const path = join(dataDir, 'room-keys.json');
  await mkdir(dataDir, { recursive: true });
  const made: RoomKeys = {
    apiKey: `API${randomBytes(9).toString('hex')}`,
    apiSecret: randomBytes(32).toString('base64url'),
  };
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(made)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    return made;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const kept = keysSchema.safeParse(await readJson(path));
  // A file truncated by a power failure: its keys were never used.
  return kept.success ? kept.data : replace(path, made);
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function replace(path: string, keys: RoomKeys): Promise<RoomKeys> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(keys)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return keys;
}

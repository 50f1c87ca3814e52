import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contentHash, type VectorFiles } from './contract.ts';
import { readVectors, writeVectors } from './vector-file.ts';

/**
 * Stores each agent's vectors in a file of its own. A file is written aside and renamed, so it is never half
 * written. It can be computed again from the texts, so losing one costs only time.
 * @param folder created with the first file
 */
export function openVectorFiles(folder: string): VectorFiles {
  /** The last operation on each file: operations on one agent's file run in order. */
  const last = new Map<string, Promise<unknown>>();

  function inOrder<T>(agentId: string, work: (file: string) => Promise<T>): Promise<T> {
    const file = join(folder, `${fileNameOf(agentId)}.bin`);
    const done = (last.get(file) ?? Promise.resolve()).then(() => work(file));
    const settled = done.then(
      () => {},
      () => {},
    );
    last.set(file, settled);
    void settled.then(() => {
      if (last.get(file) === settled) last.delete(file);
    });
    return done;
  }

  return {
    load: (agentId, revision) =>
      inOrder(agentId, async (file) => {
        const bytes = await readFile(file).catch(() => null);
        return (bytes && (await readVectors(bytes, revision))) ?? new Map<string, Float32Array>();
      }),
    save: (agentId, revision, entries) =>
      inOrder(agentId, async (file) => {
        await mkdir(folder, { recursive: true });
        const aside = `${file}.new`;
        try {
          await writeFile(aside, writeVectors(revision, entries));
          await rename(aside, file);
        } catch (error) {
          await rm(aside, { force: true });
          throw error;
        }
      }),
    forget: (agentId) =>
      inOrder(agentId, async (file) => {
        for (const path of [file, `${file}.new`]) await rm(path, { force: true });
      }),
  };
}

/** A UUID as it is; anything else hashed, so that no id can name a path elsewhere. */
const fileNameOf = (agentId: string): string =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(agentId)
    ? agentId
    : Buffer.from(contentHash(agentId), 'base64url').toString('hex');

import { serveWorkerThread } from '#server/worker-thread';
import type { GivenFile, ReadFile } from './contract.ts';
import { readFile } from './read-file.ts';
import { Unreadable } from './unreadable.ts';

const methods = {
  /** What it read, or the sentence that says why it could not. */
  async read(file: GivenFile): Promise<{ read: ReadFile } | { problem: string }> {
    try {
      return { read: await readFile(file) };
    } catch (error) {
      if (error instanceof Unreadable) return { problem: error.message };
      throw error;
    }
  },
};

export type DocumentsMethods = typeof methods;

serveWorkerThread(methods);

import { serveWorkerThread } from '#server/threads/worker-thread';
import { openBackend } from './backend.ts';

const methods = {
  /** Creates a PostgreSQL data directory in an empty folder. */
  async make({ directory }: { directory: string }): Promise<void> {
    const backend = await openBackend(directory, (reason) => {
      throw new Error(reason);
    });
    await backend.close();
  },
};

export type MakeDirectoryMethods = typeof methods;

serveWorkerThread(methods);

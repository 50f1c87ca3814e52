import { PGlite } from '@electric-sql/pglite';
import { serveWorkerThread } from '#server/worker-thread';
import { DurableFiles } from './durable-files.ts';
import { startParameters } from './start-parameters.ts';

/** The thread that makes a new PostgreSQL data directory and ends. */
export type NewDirectoryMethods = {
  make(args: { directory: string }): Promise<void>;
};

serveWorkerThread({
  async make({ directory }) {
    const database = await PGlite.create({
      fs: new DurableFiles(directory, { onSync() {}, onSyncFailed: () => process.exit(1) }),
      startParams: startParameters(PGlite.defaultStartParams),
    });
    await database.exec('CHECKPOINT');
    await database.close();
  },
} satisfies NewDirectoryMethods);

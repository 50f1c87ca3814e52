import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openDatabase } from '#server/database/open';
import { freshDataDir } from './fresh-data-dir.ts';
import { type TestDatabase, withEmpty } from './test-database.ts';

/** An embedded database on a disk whose free space the test sets. */
export async function openOnFillingDisk(): Promise<{
  database: TestDatabase;
  /** Each resolves once the database has noticed. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
}> {
  const dataDir = await freshDataDir();
  const disk = { free: 1_000, databaseFloor: 100 };
  const watch = { spaceOf: async () => disk, everyMs: 10 };
  const opened = await openDatabase({ dataDir, databaseUrl: null, watch });
  return {
    database: withEmpty(opened, async () => {
      await opened.close();
      await rm(dataDir, { recursive: true, force: true });
    }),
    fill: () => noticed(opened, true, () => (disk.free = 0)),
    makeRoom: () => noticed(opened, false, () => (disk.free = 1_000)),
  };
}

async function noticed(database: Database, isFull: boolean, change: () => void): Promise<void> {
  change();
  while (database.isFull() !== isFull) await pause(5);
  // Earlier queries have been answered by now.
  await database.ping();
}

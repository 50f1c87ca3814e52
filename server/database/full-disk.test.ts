import { cp, readdir, rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { diskSpaceOf } from '#server/lib/disk-space';
import { aUser } from '../../tests/factories.ts';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { freshDataDir } from '../../tests/support/fresh-data-dir.ts';
import { openSmallDisk, type SmallDisk } from '../../tests/support/small-disk.ts';
import { type Database, openDatabase } from './open.ts';
import { users } from './schema.ts';

const FULL = { cause: { code: '53100' } };

const namesIn = async ({ db }: Database) =>
  (await db.select({ name: users.name }).from(users).orderBy(users.name)).map(({ name }) => name);
const store = ({ db }: Database, name: string) => db.insert(users).values({ ...aUser(), name });

describe('a disk below its floor', () => {
  let dataDir: string;
  let database: Database;
  const disk = { free: 1_000, databaseFloor: 100 };
  beforeEach(async () => {
    disk.free = 1_000;
    dataDir = await freshDataDir();
  });
  afterEach(async () => {
    await database.close();
    await rm(dataDir, { recursive: true });
  });
  const open = async () => {
    database = await openDatabase({
      dataDir,
      databaseUrl: null,
      watch: { spaceOf: async () => disk, everyMs: 20 },
    });
  };
  const noticed = (isFull: boolean) => expect.poll(() => database.isFull(), { timeout: 30_000 }).toBe(isFull);

  it('is read and not written, and written again once there is room', async () => {
    await open();
    await store(database, 'Ada');
    disk.free = 99;
    await noticed(true);
    await expect(store(database, 'Bob')).rejects.toMatchObject(FULL);
    await expect(database.db.update(users).set({ name: 'Eve' })).rejects.toMatchObject(FULL);
    expect(await namesIn(database)).toEqual(['Ada']);
    // At the limit the state does not alternate with each check.
    disk.free = 110;
    await noticed(true);
    disk.free = 1_000;
    await noticed(false);
    await store(database, 'Bob');
    expect(await namesIn(database)).toEqual(['Ada', 'Bob']);
  });

  it('lets transactions that have begun come to their end', async () => {
    await open();
    await database.db.transaction(async (tx) => {
      await tx.insert(users).values({ ...aUser(), name: 'Ada' });
      disk.free = 0;
      await noticed(true);
      await tx.insert(users).values({ ...aUser(), name: 'Bob' });
    });
    expect(await namesIn(database)).toEqual(['Ada', 'Bob']);
    await expect(store(database, 'Eve')).rejects.toMatchObject(FULL);
  });

  it('can be read when it is full from the start', async () => {
    await open();
    await store(database, 'Ada');
    await database.close();
    disk.free = 0;
    await open();
    expect(await namesIn(database)).toEqual(['Ada']);
    await expect(store(database, 'Bob')).rejects.toMatchObject(FULL);
    await noticed(true);
    disk.free = 1_000;
    await noticed(false);
    await store(database, 'Bob');
  });
});

const small = openSmallDisk(150);
small?.remove();

describe.skipIf(small === null)(
  'a disk without room for the write-ahead log (needs a user who may mount one)',
  () => {
    let disk: SmallDisk;
    let database: Database;
    const log = capturedLogger();
    const lost: unknown[] = [];
    /** Simulates other writers that are faster than any check. */
    let isUnnoticed = true;
    const reserve = async () => (await readdir(disk.path)).includes('reserve');

    beforeAll(async () => {
      const opened = openSmallDisk(150);
      if (!opened) throw new Error('There was a disk a moment ago.');
      disk = opened;
      const dataDir = await freshDataDir();
      await cp(dataDir, disk.path, { recursive: true });
      await rm(dataDir, { recursive: true });
    });
    afterAll(async () => {
      await database.close();
      disk.remove();
    });
    const open = async () => {
      database = await openDatabase({
        dataDir: disk.path,
        databaseUrl: null,
        hasReserve: true,
        logger: log.logger,
        onLost: (cause) => lost.push(cause),
        watch: {
          everyMs: 100,
          spaceOf: async (path) => {
            const space = await diskSpaceOf(path);
            return isUnnoticed ? { ...space, free: 1_000_000_000 } : space;
          },
        },
      });
    };

    /** Stores until it fails. @returns the acknowledged names, and the refusal */
    async function storeUntilRefused(prefix: string): Promise<{ stored: string[]; refusal: unknown }> {
      const stored: string[] = [];
      for (;;) {
        const name = `${prefix} ${String(stored.length).padStart(4, '0')}`;
        try {
          await store(database, name);
          await database.pool.query("select pg_logical_emit_message(true, 'a', repeat('x', 200000))");
          stored.push(name);
        } catch (refusal) {
          return { stored, refusal };
        }
      }
    }

    it('goes on to be read, and to be written once there is room, with all that was acknowledged', async () => {
      await open();
      await expect.poll(reserve, { timeout: 30_000 }).toBe(true);
      await disk.fill(100_000);
      const { stored, refusal } = await storeUntilRefused('Ada');
      isUnnoticed = false;
      expect(refusal).toMatchObject({ code: '53100' });

      // On a busy machine recovery may take longer than a query waits.
      await expect
        .poll(() => namesIn(database).catch(() => []), { timeout: 60_000 })
        .toEqual(expect.arrayContaining(stored));
      expect(database.isFull()).toBe(true);
      expect(await reserve()).toBe(false);
      await expect(store(database, 'refused')).rejects.toMatchObject(FULL);
      expect(await namesIn(database)).not.toContain('refused');

      await disk.empty();
      await expect.poll(() => database.isFull(), { timeout: 30_000 }).toBe(false);
      expect(await reserve()).toBe(true);
      await store(database, 'Zoe');
      expect(await namesIn(database)).toEqual(expect.arrayContaining([...stored, 'Zoe']));
      expect(lost).toEqual([]);
      expect(log.lines().map(({ msg }) => msg)).toEqual(
        expect.arrayContaining([
          'database thread stopped, starting another',
          'the disk is full: the database is read-only until there is space',
          'the disk has room again',
        ]),
      );
    });
  },
);

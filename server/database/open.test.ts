import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inArray } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { aUser } from '../../tests/factories.ts';
import { freshDataDir } from '../../tests/support/fresh-data-dir.ts';
import { startProgram } from '../../tests/support/programs.ts';
import { openDatabase } from './open.ts';
import { users } from './schema.ts';

describe('the embedded database', () => {
  it('has after a restart what it had before', async () => {
    const dataDir = await freshDataDir();
    const user = aUser();
    const first = await openDatabase({ dataDir, databaseUrl: null });
    await first.db.insert(users).values(user);
    await first.close();
    expect(await readdir(dataDir)).toEqual(['database']);
    const second = await openDatabase({ dataDir, databaseUrl: null });
    expect(await second.db.select({ id: users.id }).from(users)).toEqual([{ id: user.id }]);
    await second.close();
    await rm(dataDir, { recursive: true });
  });

  it('is opened by one process at a time', async () => {
    const dataDir = await freshDataDir();
    const database = await openDatabase({ dataDir, databaseUrl: null });
    await expect(openDatabase({ dataDir, databaseUrl: null })).rejects.toThrow(
      /^The data directory .* is in use by another Sigma \(process \d+\): stop that one, or give this one/,
    );
    await database.ping();
    await database.close();
    await rm(dataDir, { recursive: true });
  });

  it('loses no acknowledged row when its process is killed while it inserts', async () => {
    const dataDir = await freshDataDir();
    const acknowledged = new Set<string>();
    for (const rows of [50, 400]) {
      const before = acknowledged.size;
      const program = startProgram('tests/support/endless-inserts.ts', [dataDir]);
      await program.until(({ stdout }) => stdout.split('\n').length > rows);
      program.child.kill('SIGKILL');
      await program.ended;
      for (const id of program.output().stdout.split('\n').slice(0, -1)) acknowledged.add(id);
      expect(acknowledged.size).toBeGreaterThanOrEqual(before + rows);
    }
    const database = await openDatabase({ dataDir, databaseUrl: null });
    const kept = await database.db
      .select({ id: users.id })
      .from(users)
      .where(inArray(users.id, [...acknowledged]));
    expect(kept).toHaveLength(acknowledged.size);
    await database.close();
    await rm(dataDir, { recursive: true });
  });

  it('says in one sentence why it cannot be opened', async () => {
    const dataDir = await freshDataDir();
    await rm(join(dataDir, 'database', 'global'), { recursive: true });
    await expect(openDatabase({ dataDir, databaseUrl: null })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^The database in .* cannot be opened: .*global.*\.$/),
    });
    expect(await readdir(dataDir)).toEqual(['database']);
    await rm(dataDir, { recursive: true });
  });

  it('says in one sentence that its directory cannot be used', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sigma-data-'));
    await writeFile(join(folder, 'a-file'), '');
    const dataDir = join(folder, 'a-file', 'data');
    await expect(openDatabase({ dataDir, databaseUrl: null })).rejects.toMatchObject({
      name: 'StartError',
      message: `The data directory ${dataDir} (DATA_DIR) cannot be used: a part of its path is a file.`,
    });
    await rm(folder, { recursive: true });
  });
});

describe('a PostgreSQL server that cannot be used', () => {
  it('stops the start with a sentence that holds no password', async () => {
    const databaseUrl = 'postgresql://sigma:hunter2@127.0.0.1:9/care?sslmode=disable';
    await expect(openDatabase({ dataDir: '/nowhere', databaseUrl })).rejects.toMatchObject({
      name: 'StartError',
      message:
        'The database postgresql://sigma@127.0.0.1:9/care (DATABASE_URL) cannot be used: nothing listens at that address.',
    });
  });
});

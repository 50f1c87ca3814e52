import { copyFile, mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '#server/database/open';
import { freshDataDir } from '../../../tests/support/fresh-data-dir.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { packNewDirectory } from './new-directory.ts';

let folder: string;
let archive: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sigma-new-'));
  archive = join(folder, 'new-directory.tar.gz');
  const made = await freshDataDir();
  await packNewDirectory(join(made, 'database'), archive);
  await rm(made, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

const emptyFolder = () => mkdtemp(join(folder, 'data-'));

it('makes databases that are there at once, each one its own', async () => {
  const [mine, other] = [await emptyFolder(), await emptyFolder()];
  for (const dataDir of [mine, other]) await prepareDataDirectory(dataDir, archive);
  expect(await readdir(mine)).toEqual(['database']);
  const [first, second] = await Promise.all(
    [mine, other].map((dataDir) => openDatabase({ dataDir, databaseUrl: null })),
  );
  await first?.pool.query("insert into secrets (name, value) values ('mine', 'x')");
  expect((await second?.pool.query('select name from secrets'))?.rows).toEqual([]);
  await Promise.all([first?.close(), second?.close()]);
}, 60_000);

it('holds nothing that two installations would share', async () => {
  const dataDir = await emptyFolder();
  await prepareDataDirectory(dataDir, archive);
  const database = await openDatabase({ dataDir, databaseUrl: null });
  const { rows } = await database.pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  expect(rows.length).toBeGreaterThan(20);
  const filled: string[] = [];
  for (const { name } of rows)
    if ((await database.pool.query(`select 1 from "${name}" limit 1`)).rows.length > 0) filled.push(name);
  expect(filled).toEqual([]);
  await database.close();
}, 60_000);

it('says in a sentence that it cannot be unpacked, and leaves nothing that looks like a database', async () => {
  const [dataDir, cut] = [await emptyFolder(), join(folder, 'cut.tar.gz')];
  await copyFile(archive, cut);
  await truncate(cut, 1_000_000);
  await expect(prepareDataDirectory(dataDir, cut)).rejects.toThrow(
    `The database in ${join(dataDir, 'database')} could not be made: `,
  );
  expect(await readdir(dataDir)).not.toContain('database');
  await prepareDataDirectory(dataDir, archive);
  expect(await readdir(dataDir)).toEqual(['database']);
}, 60_000);

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { prepareDataDirectory } from './data-directory.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sigma-data-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

it('makes a whole PostgreSQL directory, also after an attempt that was interrupted', async () => {
  await mkdir(join(dataDir, 'database.unfinished-x1', 'base'), { recursive: true });
  await writeFile(join(dataDir, 'database.unfinished-x1', 'PG_VERSION'), '18\n');
  const directory = await prepareDataDirectory(dataDir);
  expect(directory).toBe(join(dataDir, 'database'));
  expect(await readdir(dataDir)).toEqual(['database']);
  expect(await readdir(directory)).toEqual(
    expect.arrayContaining(['PG_VERSION', 'base', 'global', 'pg_wal']),
  );
});

it('leaves one that is there as it is', async () => {
  await mkdir(join(dataDir, 'database'));
  await writeFile(join(dataDir, 'database', 'PG_VERSION'), '18\n');
  await prepareDataDirectory(dataDir);
  expect(await readdir(join(dataDir, 'database'))).toEqual(['PG_VERSION']);
});

it.each(['17\n', ''])('refuses one of another version (%j) and leaves it alone', async (version) => {
  await mkdir(join(dataDir, 'database'));
  if (version) await writeFile(join(dataDir, 'database', 'PG_VERSION'), version);
  await expect(prepareDataDirectory(dataDir)).rejects.toThrow(
    `The folder ${join(dataDir, 'database')} holds no database of this version of Sigma (PostgreSQL 18): move it away, or choose another data directory with DATA_DIR.`,
  );
  if (version) expect(await readFile(join(dataDir, 'database', 'PG_VERSION'), 'utf8')).toBe(version);
});

it('is not made to its end where whoever asked for it has gone', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sigma-made-'));
  const maker = fork(fileURLToPath(new URL('./make-directory.ts', import.meta.url)), [directory], {
    execArgv: ['--conditions=sigma-source', '--import', 'tsx'],
    stdio: 'ignore',
  });
  const ended = once(maker, 'exit');
  await expect.poll(() => readdir(directory), { timeout: 60_000, interval: 5 }).not.toEqual([]);
  maker.disconnect();
  expect(await ended).toEqual([null, 'SIGKILL']);
  await rm(directory, { recursive: true });
}, 90_000);

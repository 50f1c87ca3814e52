import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/database/open';
import { engineSettings, users } from '#server/database/schema';
import { openSeal } from '#server/database/secrets';
import { EnginesRepository } from '#server/features/engines/repository';
import { StoredEngines } from '#server/features/engines/stored-engines';
import { VERSION } from '#server/lib/version';
import { aUser } from '../../tests/factories.ts';
import { freshDataDir } from '../../tests/support/fresh-data-dir.ts';
import { startProgram } from '../../tests/support/programs.ts';

let folder: string;
let dataDir: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sigma-doctor-'));
  dataDir = await freshDataDir();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
});

async function doctor(env: NodeJS.ProcessEnv = {}) {
  const program = startProgram('server/commands/doctor.ts', [], {
    DATA_DIR: dataDir,
    MODELS_DIR: join(folder, 'models'),
    PORT: '0',
    ...env,
  });
  const code = await program.ended;
  const { stdout, stderr } = program.output();
  expect(stderr).toBe('');
  return { code, stdout };
}

/** Something that answers as a server does, and its port. */
async function serving() {
  const server = createServer((_request, response) => response.end('{"status":"ok"}'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { port: String(port), close: () => new Promise((done) => server.close(done)) };
}

it('finds nothing wrong where nothing is, and changes nothing', async () => {
  const before = await readdir(dataDir);
  const { code, stdout } = await doctor();
  expect(stdout.trim().split('\n')).toEqual([
    `right  Node.js ${process.versions.node} runs Sigma ${VERSION}.`,
    'right  The settings can be read.',
    `right  The data directory ${dataDir} can be written, and no Sigma is using it.`,
    expect.stringMatching(/^right {2}The disk of .+ has [\d,]+ MB free\.$/),
    expect.stringMatching(/^(?:right|note) {2,3}.*disk of .+ encrypted/),
    'right  127.0.0.1, port 0 is free.',
    'right  The database opens, and its schema is that of this version.',
    'right  Embedded: language, ears, voice, rooms, recordings.',
    expect.stringMatching(/^note {3}Of the speech weights, the voice and the ears are not in /),
    expect.stringMatching(/^right {2}The clock says \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/),
  ]);
  expect(code).toBe(0);
  expect(await readdir(dataDir)).toEqual(before);
});

it('knows a place where Sigma never ran', async () => {
  const nowhere = join(folder, 'a', 'b');
  const { code, stdout } = await doctor({ DATA_DIR: nowhere });
  expect(stdout).toContain(`note   There is no data directory ${nowhere} yet: the first start makes it.`);
  expect(code).toBe(0);
  expect(await readdir(folder)).toEqual([]);
});

it('says the sentence of a wrong setting', async () => {
  expect(await doctor({ PORT: 'many' })).toEqual({
    code: 1,
    stdout: expect.stringContaining(
      'wrong  The setting PORT=many is wrong: it must be a whole number from 0 to 65535.',
    ),
  });
});

it('names a port that another program has, and a server of the settings that is away', async () => {
  const other = await serving();
  const { code, stdout } = await doctor({
    PORT: other.port,
    DATABASE_URL: 'postgresql://sigma:secret@127.0.0.1:9/sigma',
    REDIS_URL: 'redis://:secret@127.0.0.1:9',
    CLAMAV_URL: 'tcp://127.0.0.1:9',
  });
  await other.close();
  expect(code).toBe(1);
  expect(stdout).toContain(
    `wrong  Another program has 127.0.0.1, port ${other.port}: stop that one, or choose another with PORT.`,
  );
  expect(stdout).toContain(
    'wrong  The database postgresql://sigma@127.0.0.1:9/sigma (DATABASE_URL) cannot be used',
  );
  expect(stdout).toContain(
    'wrong  The server redis://127.0.0.1:9 (REDIS_URL) cannot be used: nothing listens at that address.',
  );
  expect(stdout).toContain(
    'wrong  The antivirus scanner (CLAMAV_URL) cannot be used: nothing listens at that address. Start clamd, or change the setting: no file is taken without it.',
  );
});

describe('engines that owners saved', () => {
  let here: string;
  let server: Awaited<ReturnType<typeof serving>>;
  let address: string;
  beforeAll(async () => {
    here = await freshDataDir();
    server = await serving();
    address = `http://127.0.0.1:${server.port}/v1`;
    const database = await openDatabase({ dataDir: here, databaseUrl: null });
    const owner = aUser();
    await database.db.insert(users).values(owner);
    const stored = new StoredEngines(new EnginesRepository(database.db), await openSeal(database.db));
    const values = { LLM_BASE_URL: address, LLM_MODEL: 'qwen3', LLM_API_KEY: 'secret-key' };
    await stored.save('language', values, owner.id ?? '');
    await stored.save('ears', { STT_BASE_URL: address }, owner.id ?? '');
    await database.close();
  });
  afterAll(async () => {
    await server.close();
    await rm(here, { recursive: true, force: true });
  });

  it('are those it looks at, and what they make needless is not missed', async () => {
    const { code, stdout } = await doctor({ DATA_DIR: here });
    expect(stdout).toContain(
      `right  For language: qwen3 at ${address}, by Settings → Engines. Its server answers.`,
    );
    expect(stdout).toContain(`right  For ears: whisper-1 at ${address}, by Settings → Engines.`);
    expect(stdout).toContain('right  Embedded: voice, rooms, recordings.');
    expect(stdout).not.toContain('the voice and the ears are not in');
    expect(stdout).not.toContain('secret-key');
    expect(code).toBe(0);
  });

  it('give way to the environment, which is said', async () => {
    const { stdout } = await doctor({ DATA_DIR: here, LLM_MODEL: 'llama4' });
    expect(stdout).toContain(
      `right  For language: llama4 at ${address}, by the environment (LLM_MODEL), which wins over Settings → Engines.`,
    );
  });

  it('are wrong where they cannot be read any more, and servers where nobody answers', async () => {
    const gone = await serving();
    await gone.close();
    const { code, stdout } = await doctor({
      DATA_DIR: here,
      TTS_BASE_URL: `http://127.0.0.1:${gone.port}/v1`,
    });
    expect(stdout).toContain(
      `wrong  For voice: tts-1, alloy at http://127.0.0.1:${gone.port}/v1, by the environment, cannot be used: nothing listens at that address.`,
    );
    expect(code).toBe(1);
    const database = await openDatabase({ dataDir: here, databaseUrl: null });
    await database.db.update(engineSettings).set({ sealed: 'of another database' });
    await database.close();
    expect(await doctor({ DATA_DIR: here })).toEqual({
      code: 1,
      stdout: expect.stringContaining(
        'wrong  What is saved in Settings → Engines for ears is not used. What was saved here cannot be read any more.',
      ),
    });
  });
});

it('looks at a server that runs from outside', async () => {
  const database = await openDatabase({ dataDir, databaseUrl: null });
  const server = await serving();
  try {
    const { code, stdout } = await doctor({ PORT: server.port });
    expect(stdout).toContain(`right  Sigma (process ${process.pid}) is running with ${dataDir}.`);
    expect(stdout).toContain(`right  It answers at 127.0.0.1, port ${server.port}.`);
    expect(stdout).toContain('note   What owners saved in Settings → Engines cannot be read here');
    expect(code).toBe(0);
    await server.close();
    expect(await doctor({ PORT: server.port })).toEqual({
      code: 1,
      stdout: expect.stringContaining(`wrong  It does not answer at 127.0.0.1, port ${server.port}:`),
    });
  } finally {
    await database.close();
  }
});

it('finds a database of tomorrow, and a clock that went back', async () => {
  const database = await openDatabase({ dataDir, databaseUrl: null });
  await database.pool.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('of tomorrow', 9999999999999)",
  );
  await database.close();
  const { code, stdout } = await doctor();
  expect(code).toBe(1);
  expect(stdout).toContain('wrong  The database was used by a newer version of Sigma');
  await rm(join(dataDir, 'database', 'PG_VERSION'));
  const tomorrow = new Date(Date.now() + 86_400_000);
  await utimes(join(dataDir, 'database', 'global', 'pg_control'), tomorrow, tomorrow);
  const broken = (await doctor()).stdout;
  expect(broken).toContain('holds no database of this version of Sigma');
  expect(broken).toMatch(
    /wrong {2}The clock says .+, which is earlier than what has been written here: set it\./,
  );
});

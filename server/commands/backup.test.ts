import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { beginBackup } from '#server/database/backup-door';
import { type Database, openDatabase } from '#server/database/open';
import { users } from '#server/database/schema';
import { VERSION } from '#server/lib/version';
import { signedInSchema } from '#shared/accounts';
import { aRegistration, aUser } from '../../tests/factories.ts';
import { freshDataDir } from '../../tests/support/fresh-data-dir.ts';
import { type Program, startProgram } from '../../tests/support/programs.ts';
import { archiveOf, bytesAs } from './backup-file.ts';

let folder: string;
let dataDir: string;
let made: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sigma-backup-'));
  dataDir = await freshDataDir();
  await mkdir(join(dataDir, 'recordings', 'space'), { recursive: true });
  await writeFile(join(dataDir, 'recordings', 'space', 'one'), 'sound');
  await writeFile(join(dataDir, 'recordings', 'space', 'two.x.part'), 'half');
  await writeFile(join(dataDir, 'room-keys.json'), '{}', { mode: 0o600 });
  await mkdir(join(dataDir, 'vectors'));
  made = join(folder, 'made.tar.gz');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
});

async function run(command: 'backup' | 'restore', args: string[], env: NodeJS.ProcessEnv = {}) {
  const program = startProgram(`server/commands/${command}.ts`, args, { DATA_DIR: dataDir, ...env });
  return { code: await program.ended, ...program.output() };
}

/** What a refusal says. */
async function refusal(...args: Parameters<typeof run>): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([1, '']);
  return stderr.trim();
}

async function emailsIn(directory: string): Promise<string[]> {
  const database = await openDatabase({ dataDir: directory, databaseUrl: null });
  try {
    return (await database.db.select({ email: users.email }).from(users)).map(({ email }) => email);
  } finally {
    await database.close();
  }
}

const restored = async (file: string) => {
  const directory = await mkdtemp(join(folder, 'restored-'));
  const { code, stderr } = await run('restore', [file], { DATA_DIR: directory });
  expect([code, stderr]).toEqual([0, '']);
  return directory;
};

/** Writes row after row until it is told to stop. @returns how many were acknowledged */
function keepWriting({ db }: Database) {
  let acknowledged = 0;
  let goesOn = true;
  const writing = (async () => {
    while (goesOn) {
      await db.insert(users).values(aUser({ email: `${acknowledged}@example.com` }));
      acknowledged++;
    }
  })();
  return {
    acknowledged: () => acknowledged,
    async stop() {
      goesOn = false;
      await writing;
    },
  };
}

it('copies a database that is being written, with what was acknowledged before it began', async () => {
  const database = await openDatabase({ dataDir, databaseUrl: null });
  const writer = keepWriting(database);
  await expect.poll(writer.acknowledged).toBeGreaterThan(20);
  const before = writer.acknowledged();
  const { code, stdout, stderr } = await run('backup', [made]);
  await writer.stop();
  await database.close();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`Everything of ${dataDir} is in ${made}`);
  expect(writer.acknowledged()).toBeGreaterThan(before);
  if (process.platform !== 'win32') expect((await stat(made)).mode & 0o777).toBe(0o600);

  const directory = await restored(made);
  expect((await readdir(directory)).sort()).toEqual(['database', 'recordings', 'room-keys.json']);
  expect(await readdir(join(directory, 'recordings', 'space'))).toEqual(['one']);
  expect(await readFile(join(directory, 'recordings', 'space', 'one'), 'utf8')).toBe('sound');
  const emails = new Set(await emailsIn(directory));
  for (let n = 0; n < before; n++) expect(emails).toContain(`${n}@example.com`);
});

it('copies one that nobody uses', async () => {
  const file = join(folder, 'stopped.tar.gz');
  expect((await run('backup', [file])).code).toBe(0);
  expect(await emailsIn(await restored(file))).toEqual(await emailsIn(dataDir));
});

it('asks one running database for one backup at a time, and goes on when one breaks off', async () => {
  const database = await openDatabase({ dataDir, databaseUrl: null });
  try {
    const first = await beginBackup(dataDir);
    expect(await refusal('backup', [join(folder, 'second.tar.gz')])).toBe(
      'Another backup is just being made.',
    );
    first?.close();
    const again = async () => (await run('backup', [join(folder, 'third.tar.gz')])).code;
    await expect.poll(again).toBe(0);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  } finally {
    await database.close();
  }
  expect(await beginBackup(dataDir)).toBeNull();
});

it('says what is wrong with a place for a backup', async () => {
  expect(await refusal('backup', [])).toBe('Say where the backup goes: npm run backup -- sigma.tar.gz');
  expect(await refusal('backup', [made])).toBe(`There is a file ${made} already: choose another name.`);
  expect(await refusal('backup', [join(dataDir, 'x.tar.gz')])).toBe(
    `The backup cannot lie in the data directory ${dataDir}: choose another folder.`,
  );
  expect(await refusal('backup', [join(folder, 'no', 'x.tar.gz')])).toBe(
    `There is no folder ${join(folder, 'no')}: make it, or choose another one.`,
  );
  const nowhere = join(folder, 'nowhere');
  expect(await refusal('backup', [join(folder, 'x.tar.gz')], { DATA_DIR: nowhere })).toBe(
    `There is nothing to back up in ${nowhere}: say where the data is with DATA_DIR.`,
  );
  const DATABASE_URL = 'postgresql://127.0.0.1:9/x';
  expect(await refusal('backup', [join(folder, 'x.tar.gz')], { DATABASE_URL })).toContain('pg_dump');
  expect(await refusal('restore', [made], { DATABASE_URL })).toContain('pg_dump');
});

it('overwrites nothing, and leaves a running server alone', async () => {
  expect(await refusal('restore', [made])).toBe(
    `The data directory ${dataDir} is not empty, and nothing in it is overwritten: move it away, or restore into another one, as in DATA_DIR=./data-2 npm run restore -- ${made}`,
  );
  const database = await openDatabase({ dataDir, databaseUrl: null });
  try {
    expect(await refusal('restore', [made])).toContain(
      `Sigma is running with the data directory ${dataDir}: stop it,`,
    );
  } finally {
    await database.close();
  }
});

async function archive(...files: Parameters<typeof bytesAs>[]): Promise<Buffer> {
  async function* all() {
    for (const file of files) yield bytesAs(...file);
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of archiveOf(all(), new Date())) pieces.push(piece);
  return Buffer.concat(pieces);
}

it.each([
  ['no archive', async () => Buffer.from('nonsense'), 'is no backup of Sigma'],
  ['another archive', async () => gzipSync(Buffer.alloc(10_240)), 'is no backup of Sigma'],
  [
    'one of a newer version',
    async () => {
      const bytes = (await archive()).toString('latin1').replace('"format":1', '"format":2');
      return gzipSync(Buffer.from(bytes, 'latin1'));
    },
    'was made by a newer version of Sigma',
  ],
  [
    'one that a newer version has used',
    async () => gzipSync(await archive(['database/PG_VERSION', Buffer.from('18\nSigma 99.0.0\n')])),
    `is of Sigma 99.0.0, and this is Sigma ${VERSION}: restore it with that version or a newer one.`,
  ],
  [
    'one of another PostgreSQL',
    async () => gzipSync(await archive(['database/PG_VERSION', Buffer.from('99\n')])),
    'is of another version of PostgreSQL',
  ],
])('puts nothing in its place from %s', async (_what, bytes, why) => {
  const file = join(folder, 'strange.tar.gz');
  await writeFile(file, await bytes());
  const directory = join(folder, 'untouched');
  expect(await refusal('restore', [file], { DATA_DIR: directory })).toContain(why);
  await expect(readdir(directory)).rejects.toThrow();
});

it('puts nothing in its place from a damaged backup, or from none', async () => {
  const file = join(folder, 'damaged.tar.gz');
  await copyFile(made, file);
  await truncate(file, (await stat(file)).size - 20_000);
  const directory = join(folder, 'untouched');
  expect(await refusal('restore', [file], { DATA_DIR: directory })).toBe(
    `The backup ${file} is damaged: take another one. Nothing was restored.`,
  );
  expect(await refusal('restore', [join(folder, 'none')], { DATA_DIR: directory })).toBe(
    `There is no file ${join(folder, 'none')}.`,
  );
  await expect(readdir(directory)).rejects.toThrow();
});

it('refuses a backup whose database a newer version has migrated', async () => {
  const database = await openDatabase({ dataDir, databaseUrl: null });
  await database.pool.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('of tomorrow', 9999999999999)",
  );
  await database.close();
  const file = join(folder, 'tomorrow.tar.gz');
  expect((await run('backup', [file])).code).toBe(0);
  expect(await refusal('restore', [file], { DATA_DIR: join(folder, 'untouched') })).toContain(
    'was made by a newer version of Sigma',
  );
});

it('takes a conversation that goes on meanwhile, and the restored server answers it', async () => {
  const home = await freshDataDir();
  const programs: Program[] = [];
  const start = async (directory: string): Promise<string> => {
    const program = startProgram('server/app/main.ts', [], {
      PORT: '0',
      DATA_DIR: directory,
      MODELS_DIR: join(folder, 'models'),
      HOME: folder,
      npm_config_registry: 'http://127.0.0.1:9/',
      RATE_LIMIT: 'off',
    });
    programs.push(program);
    await program.until(({ stdout }) => stdout.includes('\n'));
    return program.output().stdout.trim().split(' ').at(-1) ?? '';
  };
  const connect = async (address: string, token: string): Promise<Socket> => {
    const socket = io(address, { auth: { token }, transports: ['websocket'], reconnection: false });
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', resolve);
      socket.on('connect_error', reject);
    });
    return socket;
  };
  try {
    const address = await start(home);
    const registered = await fetch(`${address}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(aRegistration()),
    });
    const { token, user } = signedInSchema.parse(await registered.json());
    const socket = await connect(address, token);
    const { conversationId } = z
      .object({ conversationId: z.string() })
      .parse(await socket.emitWithAck('start_conversation', { userId: user._id }));

    let said = 0;
    let goesOn = true;
    const talking = (async () => {
      for (; goesOn; said++)
        await socket.emitWithAck('user_message', { conversationId, message: `Word ${said}`, voice: false });
    })();
    await expect.poll(() => said).toBeGreaterThan(2);
    const before = said;
    const file = join(folder, 'talk.tar.gz');
    const { code, stderr } = await run('backup', [file], { DATA_DIR: home });
    goesOn = false;
    await talking;
    socket.close();
    expect([code, stderr]).toEqual([0, '']);

    const again = await start(await restored(file));
    const found = await fetch(`${again}/api/conversations/${conversationId}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const stored = await found.text();
    for (let n = 0; n < before; n++) expect(stored).toContain(`"Word ${n}"`);
    const back = await connect(again, token);
    const answered = new Promise((resolve) => back.on('ai_response', resolve));
    await back.emitWithAck('user_message', { conversationId, message: 'Hello', voice: false });
    await answered;
    back.close();
  } finally {
    for (const program of programs) {
      program.child.kill('SIGKILL');
      await program.ended;
    }
    await rm(home, { recursive: true, force: true });
  }
});

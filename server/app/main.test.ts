import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { io } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signedInSchema } from '#shared/accounts';
import { aRegistration } from '../../tests/factories.ts';
import { freshDataDir } from '../../tests/support/fresh-data-dir.ts';
import { type Program, startProgram } from '../../tests/support/programs.ts';

const running = new Set<Program>();
let folder: string;
let dataDir: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sigma-main-'));
  dataDir = await freshDataDir();
});
afterAll(async () => {
  await endAll();
  await rm(folder, { recursive: true });
  await rm(dataDir, { recursive: true });
});

async function endAll(): Promise<void> {
  for (const program of running) {
    program.child.kill('SIGKILL');
    await program.ended;
  }
  running.clear();
}

/** Starts the server on a free port, with an unreachable registry: tests need no network. */
function startMain(env: NodeJS.ProcessEnv = {}): Program {
  const program = startProgram('server/app/main.ts', [], {
    PORT: '0',
    DATA_DIR: dataDir,
    MODELS_DIR: join(folder, 'models'),
    HOME: folder,
    npm_config_registry: 'http://127.0.0.1:9/',
    RATE_LIMIT: 'off',
    ...env,
  });
  running.add(program);
  return program;
}

/** The files of the data directory, except those written later: vectors of texts and reserved disk space. */
const kept = async () => (await readdir(dataDir)).filter((name) => !/^(?:vectors|reserve)/.test(name));

async function ready(program: Program): Promise<string> {
  await program.until(({ stdout }) => stdout.includes('\n'));
  const [, address = ''] =
    /^Sigma is ready at (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(program.output().stdout) ?? [];
  expect(address).not.toBe('');
  return address;
}

/** Runs it to its end. @returns exit code and all output */
async function outcome(env: NodeJS.ProcessEnv): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const program = startMain(env);
  const code = await program.ended;
  return { code, ...program.output() };
}

describe('a server that runs', () => {
  let program: Program;
  let address: string;
  beforeAll(async () => {
    program = startMain();
    address = await ready(program);
  });

  it('listens before the voice is there, and says what it waits for', async () => {
    const answer = await fetch(`${address}/ready`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      status: 'not ready',
      missing: { voice: expect.any(String), ears: expect.any(String) },
    });
  });

  it('keeps its data directory and its port to itself', async () => {
    expect(await outcome({})).toEqual({
      code: 1,
      stdout: '',
      stderr: `The data directory ${dataDir} is in use by another Sigma (process ${program.child.pid}): stop that one, or give this one a directory of its own, as in DATA_DIR=./data-2 npm start.\n`,
    });
    expect((await fetch(`${address}/health`)).status).toBe(200);
  });

  it('says so in one line, serves, and ends cleanly on SIGTERM', async () => {
    expect(await (await fetch(`${address}/health`)).json()).toEqual({ status: 'ok' });
    const registered = await fetch(`${address}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(aRegistration()),
    });
    expect(registered.status).toBe(201);
    const { token } = signedInSchema.parse(await registered.json());

    const socket = io(address, { auth: { token }, transports: ['websocket'], reconnection: false });
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', resolve);
      socket.on('connect_error', reject);
    });
    const disconnected = new Promise((resolve) => socket.on('disconnect', resolve));
    expect(await kept()).toEqual([
      ...(process.platform === 'win32' ? [] : ['backup.sock']),
      'database',
      'room-keys.json',
      'sigma.lock',
    ]);

    program.child.kill('SIGTERM');
    await disconnected;
    expect(await program.ended).toBe(0);
    expect(await kept()).toEqual(['database', 'room-keys.json']);
    expect(program.output().stdout.split('\n')).toHaveLength(2);
  });
});

describe('a server that is ended', () => {
  afterEach(endAll);

  it.runIf(process.platform !== 'win32')(
    'ends as cleanly when it is told so twice at once, as by npm and a terminal',
    async () => {
      const program = startMain();
      await ready(program);
      program.child.kill('SIGINT');
      program.child.kill('SIGINT');
      expect(await program.ended).toBe(0);
      expect(await kept()).toEqual(['database', 'room-keys.json']);
    },
  );

  it('starts again after it was killed', async () => {
    const killed = startMain();
    await ready(killed);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(await kept()).toContain('sigma.lock');
    await ready(startMain());
  });
});

describe('a start that cannot go on says why in one sentence', () => {
  it('a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    expect(await outcome({ PORT: String(port) })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        `Port ${port} is taken by another program: stop that one, or choose another port, as in PORT=${port + 1} npm start.\n`,
      ),
    });
    expect((await outcome({ METRICS_PORT: String(port) })).stderr).toContain(
      `METRICS_PORT=${port + 1} npm start.`,
    );
    other.close();
    expect(await kept()).toEqual(['database', 'room-keys.json']);
  });

  it.each([
    [{ PORT: 'http' }, 'The setting PORT=http is wrong: it must be a whole number from 0 to 65535.'],
    [{ RATE_LIMIT: 'maybe' }, 'The setting RATE_LIMIT=maybe is wrong: it must be on or off.'],
    [
      { DATABASE_URL: 'postgresql://sigma:hunter2@127.0.0.1:9/care' },
      'The database postgresql://sigma@127.0.0.1:9/care (DATABASE_URL) cannot be used: nothing listens at that address.',
    ],
    [
      { REDIS_URL: 'redis://sigma:hunter2@127.0.0.1:9' },
      'The server redis://sigma@127.0.0.1:9 (REDIS_URL) cannot be used: nothing listens at that address.',
    ],
  ])('a wrong setting: %j', async (env, sentence) => {
    expect(await outcome(env)).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
  });

  it('an address this machine does not have', async () => {
    const { code, stderr } = await outcome({ HOST: '203.0.113.1' });
    expect(code).toBe(1);
    expect(stderr).toContain('The setting HOST=203.0.113.1 is wrong: this machine has no such address.\n');
  });
});

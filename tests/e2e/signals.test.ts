import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from './support/server.ts';

// Windows has no signals that a process could handle.
describe.skipIf(process.platform === 'win32')('whoever started the server ends it', () => {
  let dataDir: string;
  let lock: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sigma-signals-'));
    lock = join(dataDir, 'sigma.lock');
  });
  afterEach(async () => {
    if (existsSync(lock)) process.kill(JSON.parse(await readFile(lock, 'utf8')).pid, 'SIGKILL');
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const start = (command?: string) =>
    startServer({
      dataDir,
      env: {
        MODELS_DIR: join(dataDir, 'no-models'),
        npm_config_registry: 'http://127.0.0.1:9/',
        LOG_LEVEL: 'silent',
      },
      ...(command ? { command: command.split(' ') } : {}),
    });
  /** A server that ended in order releases its data; a killed one does not. */
  const endsInOrder = async (url: string) => {
    await expect.poll(() => existsSync(lock)).toBe(false);
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  };

  it.each(['npm start', 'node scripts/start.js'])('%s, by SIGTERM', async (command) => {
    const server = await start(command);
    await server.stop('SIGTERM');
    await endsInOrder(server.url);
  });

  it.each(['npm start', 'node scripts/start.js'])('%s, by Ctrl-C in a terminal', async (command) => {
    const server = await start(command);
    await server.stop('SIGINT', 'everybody');
    await endsInOrder(server.url);
  });

  it('starts again at once after it was killed', async () => {
    const killed = await start();
    const stopped = killed.stop('SIGKILL');
    const next = await start();
    await stopped;
    expect(await next.stop()).toBe(0);
  });
});

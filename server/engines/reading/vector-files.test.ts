import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentHash, type VectorFiles } from './contract.ts';
import { createFakeVectorFiles } from './fake.ts';
import { openVectorFiles } from './vector-files.ts';

const AGENT = '0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const DIMENSIONS = 96;

let folder: string;
let vectorsDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sigma-vectors-'));
  vectorsDir = join(folder, 'vectors');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A unit vector determined by a number. */
function aVector(seed: number): Float32Array {
  const raw = Float32Array.from({ length: DIMENSIONS }, (_, n) => Math.sin(seed * 12.9898 + n * n * 78.233));
  const length = Math.hypot(...raw);
  return raw.map((x) => x / length);
}
const manyVectors = (count: number) =>
  new Map(Array.from({ length: count }, (_, n) => [contentHash(`text ${n}`), aVector(n)] as const));
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, n) => sum + x * (b[n] ?? 0), 0);
const nearest = (question: Float32Array, vectors: ReadonlyMap<string, Float32Array>) =>
  [...vectors].sort((a, b) => dot(question, b[1]) - dot(question, a[1])).map(([hash]) => hash);

describe.each<[string, () => VectorFiles]>([
  ['vector files', () => openVectorFiles(vectorsDir)],
  ['the fake', createFakeVectorFiles],
])('%s', (_, open) => {
  it('give back what was saved last, near enough to find the same', async () => {
    const files = open();
    const vectors = manyVectors(1_300);
    await files.save(AGENT, 'r1', [[contentHash('old'), aVector(9)]]);
    await files.save(AGENT, 'r1', vectors);
    const loaded = await files.load(AGENT, 'r1');
    expect([...loaded.keys()]).toEqual([...vectors.keys()]);
    for (const vector of loaded.values()) expect(dot(vector, vector)).toBeCloseTo(1, 5);
    for (let question = 2_000; question < 2_020; question++)
      expect(nearest(aVector(question), loaded).slice(0, 12)).toEqual(
        nearest(aVector(question), vectors).slice(0, 12),
      );
  });

  it('hold nothing of another revision, of another agent, or of an agent that was forgotten', async () => {
    const files = open();
    expect(await files.load(AGENT, 'r1')).toEqual(new Map());
    await files.save(AGENT, 'r1', manyVectors(3));
    expect(await files.load(AGENT, 'r2')).toEqual(new Map());
    expect(await files.load('another', 'r1')).toEqual(new Map());
    await files.forget(AGENT);
    await files.forget(AGENT);
    expect(await files.load(AGENT, 'r1')).toEqual(new Map());
  });

  it('take an agent without texts', async () => {
    const files = open();
    await files.save(AGENT, 'r1', []);
    expect(await files.load(AGENT, 'r1')).toEqual(new Map());
  });
});

describe('vector files', () => {
  it('do one thing after the other with one agent', async () => {
    const files = openVectorFiles(vectorsDir);
    const [, loaded] = await Promise.all([
      files.save(AGENT, 'r1', manyVectors(900)),
      files.load(AGENT, 'r1'),
      files.forget(AGENT),
    ]);
    expect(loaded.size).toBe(900);
    expect(await readdir(vectorsDir)).toEqual([]);
  });

  it.each([
    ['empty', (file: string) => truncate(file, 0)],
    ['cut off', async (file: string) => truncate(file, (await readFile(file)).length - 40)],
    [
      'cut at a vector',
      async (file: string) => truncate(file, (await readFile(file)).length - 20 - 2 * DIMENSIONS),
    ],
    ['longer', (file: string) => appendFile(file, 'x')],
    ['of somebody else', (file: string) => writeFile(file, 'x'.repeat(5_000))],
    [
      'changed in one bit',
      async (file: string) => {
        const bytes = await readFile(file);
        bytes.writeUInt8(bytes.readUInt8(500) ^ 4, 500);
        await writeFile(file, bytes);
      },
    ],
  ])('read as empty when they are %s, and are written anew', async (_, spoil) => {
    const files = openVectorFiles(vectorsDir);
    await files.save(AGENT, 'r1', manyVectors(10));
    await spoil(join(vectorsDir, `${AGENT}.bin`));
    expect(await files.load(AGENT, 'r1')).toEqual(new Map());
    await files.save(AGENT, 'r1', manyVectors(10));
    expect((await files.load(AGENT, 'r1')).size).toBe(10);
  });

  it.each([
    '../escaped',
    '..',
    '',
    '/etc/passwd',
    'C:\\x',
    'a/b',
    'con',
    'x'.repeat(5_000),
    `${AGENT}/../../x`,
    'a\0b',
  ])('stay in their folder whatever an agent is called: %j', async (agentId) => {
    const files = openVectorFiles(vectorsDir);
    await files.save(agentId, 'r1', manyVectors(2));
    expect((await files.load(agentId, 'r1')).size).toBe(2);
    expect(await readdir(folder)).toEqual(['vectors']);
    expect(await readdir(vectorsDir)).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.bin$/)]);
    await files.forget(agentId);
    expect(await readdir(vectorsDir)).toEqual([]);
  });

  it('keep what they had when saving fails', async () => {
    const files = openVectorFiles(vectorsDir);
    await files.save(AGENT, 'r1', manyVectors(4));
    await expect(
      files.save(AGENT, 'r1', [
        [contentHash('a'), aVector(1)],
        [contentHash('b'), new Float32Array(3)],
      ]),
    ).rejects.toThrow(RangeError);
    await expect(files.save(AGENT, 'r1', [['no hash', aVector(1)]])).rejects.toThrow(RangeError);
    expect((await files.load(AGENT, 'r1')).size).toBe(4);
    expect(await readdir(vectorsDir)).toEqual([`${AGENT}.bin`]);
  });
});

it('a text is named by what it says', () => {
  expect(contentHash('a')).toMatch(/^[\w-]{22}$/);
  expect(contentHash('a')).toBe(contentHash('a'));
  expect(contentHash('a')).not.toBe(contentHash('a '));
});

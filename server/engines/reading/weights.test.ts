import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REVISION, WEIGHTS, weightsFolder } from './weights.ts';

const read = (file: string) => readFile(join(weightsFolder(), file));
const sums = new Map(
  (await read('SHA256SUMS'))
    .toString()
    .trim()
    .split('\n')
    .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
);

describe('the weights of the reader', () => {
  it.each(Object.values(WEIGHTS))('%s is the file that SHA256SUMS and NOTICE name', async (file) => {
    const bytes = await read(file);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(sums.get(file)).toBe(sha256);
    const notice = (await read('NOTICE')).toString();
    expect(notice).toContain(`${bytes.length.toLocaleString('en-US')} bytes, sha256 ${sha256}`);
  });

  it('are all there is in their folder', async () => {
    expect((await readdir(weightsFolder())).sort()).toEqual(
      ['NOTICE', 'SHA256SUMS', ...Object.values(WEIGHTS)].sort(),
    );
    expect([...sums.keys()].sort()).toEqual(Object.values(WEIGHTS).sort());
  });

  it('give their name to the vectors that they make', () => {
    for (const file of [WEIGHTS.encoder, WEIGHTS.searchEncoder])
      expect(REVISION.split(' ')).toContain(sums.get(file)?.slice(0, 12));
  });
});

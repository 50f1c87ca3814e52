import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInProcessParsers } from './fuzz/in-process-parsers.ts';
import { openLiveParsers } from './fuzz/live-parsers.ts';
import { parsers } from './fuzz/parsers.ts';
import { fuzz, inputOf } from './fuzz/run.ts';

/** The same ones in every run; `npm run fuzz` tries more, and how long each takes. */
const FEW = { seed: 1, inputs: 500 };

it.each(parsers)('what is sent to $name breaks nothing, whatever it is', async (parser) => {
  // Else what was made of them would be refused before anything is read.
  for (const sample of parser.samples) expect(() => parser.parse(sample)).not.toThrow();
  await fuzz(parser, FEW);
});

describe('a server that is reached without a network', () => {
  let inProcess: Awaited<ReturnType<typeof openInProcessParsers>>;
  beforeAll(async () => {
    inProcess = await openInProcessParsers();
  });
  afterAll(() => inProcess.close());

  it.each(['form-reader', 'http-reader', 'packet-reader'])('has a %s that nothing hurts', async (name) => {
    const parser = inProcess.parsers.find((each) => each.name === name);
    if (!parser) throw new Error(`Nothing feeds ${name}.`);
    for (const sample of parser.samples)
      expect(await parser.parse(sample)).toMatch(/^HTTP\/1\.1 (?:101|200|206) /);
    await fuzz(parser, FEW);
  });
});

describe('a server that listens', () => {
  let live: Awaited<ReturnType<typeof openLiveParsers>>;
  beforeAll(async () => {
    live = await openLiveParsers();
  });
  afterAll(() => live.close());

  it.each(['multipart', 'http', 'socket'])('is not hurt by any %s', async (name) => {
    const parser = live.parsers.find((each) => each.name === name);
    if (!parser) throw new Error(`Nothing feeds ${name}.`);
    for (const sample of parser.samples) await parser.parse(sample);
    await fuzz(parser, { seed: 1, inputs: 100 });
  });
});

it('names the seed of what breaks a parser, which makes the same input again', async () => {
  const fragile = {
    name: 'fragile',
    samples: [Buffer.from('a sample')],
    parse: (bytes: Buffer) => {
      if (bytes.length > 12) throw new RangeError('too long');
    },
  };
  const failure: Error = await fuzz(fragile, FEW).then(
    () => expect.unreachable(),
    (error) => error,
  );
  const seed = Number(/seed (\d+)/.exec(failure.message)?.[1]);
  expect(inputOf(fragile, seed).length).toBeGreaterThan(12);
  expect(inputOf(fragile, seed)).toEqual(inputOf(fragile, seed));
});

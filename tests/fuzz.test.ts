import { expect, it } from 'vitest';
import { parsers } from './fuzz/parsers.ts';
import { fuzz, inputOf } from './fuzz/run.ts';

/** The same ones in every run; `npm run fuzz` tries more, and how long each takes. */
const FEW = { seed: 1, inputs: 500 };

it.each(parsers)('what is sent to $name breaks nothing, whatever it is', async (parser) => {
  // Else what was made of them would be refused before anything is read.
  for (const sample of parser.samples) expect(() => parser.parse(sample)).not.toThrow();
  await fuzz(parser, FEW);
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

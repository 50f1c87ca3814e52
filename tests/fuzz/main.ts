// `npm run fuzz -- [--inputs 1000000] [--seed 1] [parser …]`: feeds every parser that faces the network with mutated samples,
// and says which input broke one, took too long, or made it keep memory. With --inputs 1 and the seed that was named, one
// input is tried again.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { openLiveParsers } from './live-parsers.ts';
import { parsers } from './parsers.ts';
import { fuzz } from './run.ts';

const MAX_MS = 100;
/** What may be left of a run: caches of a bounded size, code that was compiled. */
const MAX_GROWTH_BYTES = 16_000_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { inputs: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const [inputs, seed] = [Number(values.inputs), Number(values.seed)];
const heapBytes = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

const live = await openLiveParsers();
for (const parser of [...parsers, ...live.parsers]) {
  if (positionals.length > 0 && !positionals.includes(parser.name)) continue;
  // The first thousand make what stays.
  await fuzz(parser, { seed, inputs: Math.min(inputs, 1_000) });
  const before = heapBytes();
  const since = performance.now();
  const { slowestMs, slowestSeed } = await fuzz(parser, { seed, inputs });
  const growth = heapBytes() - before;
  const problems = [
    ...(slowestMs > MAX_MS ? [`over ${MAX_MS} ms`] : []),
    ...(growth > MAX_GROWTH_BYTES ? ['keeps memory'] : []),
  ];
  const seconds = Math.round((performance.now() - since) / 1_000);
  process.stdout.write(
    `${parser.name.padEnd(14)} ${inputs} inputs in ${seconds} s, slowest ${slowestMs.toFixed(1)} ms (seed ${slowestSeed}), heap ${growth > 0 ? '+' : ''}${Math.round(growth / 1_000)} kB ${problems.join(', ')}\n`,
  );
  if (problems.length > 0) process.exitCode = 1;
}
await live.close();

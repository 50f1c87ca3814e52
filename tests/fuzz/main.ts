// `npm run fuzz -- [--inputs 1000000] [--seed 1] [parser …]`: feeds every parser that faces the network with mutated samples,
// and says which input broke one, took too long, or made it keep memory. With --inputs 1 and the seed that was named, one
// input is tried again.
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openInProcessParsers } from './in-process-parsers.ts';
import { openLiveParsers } from './live-parsers.ts';
import { parsers } from './parsers.ts';
import { type FuzzedParser, fuzz } from './run.ts';

const MAX_MS = 100;
/** What may be left of a run: caches of a bounded size, code that was compiled. */
const MAX_GROWTH_BYTES = 16_000_000;
/** What is let go by the clock alone, as sessions are that nobody ended, is gone by then. */
const LET_GO_MS = 60_000;
/** A whole server that listens takes some hundred inputs a second. */
const MAX_LIVE_INPUTS = 1_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { inputs: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const [inputs, seed] = [Number(values.inputs), Number(values.seed)];

const heldBytes = () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

async function growthSince(before: number): Promise<number> {
  const since = performance.now();
  let growth = heldBytes() - before;
  while (growth > MAX_GROWTH_BYTES / 8 && performance.now() - since < LET_GO_MS) {
    await setTimeout(1_000);
    growth = heldBytes() - before;
  }
  return growth;
}

async function report(parser: FuzzedParser, inputs: number): Promise<void> {
  // The first thousand make what stays.
  await fuzz(parser, { seed, inputs: Math.min(inputs, 1_000) });
  const before = heldBytes();
  const since = performance.now();
  const { slowestMs, slowestSeed } = await fuzz(parser, { seed, inputs });
  const seconds = Math.round((performance.now() - since) / 1_000);
  const growth = await growthSince(before);
  const problems = [
    ...(slowestMs > MAX_MS ? [`over ${MAX_MS} ms`] : []),
    ...(growth > MAX_GROWTH_BYTES ? ['keeps memory'] : []),
  ];
  process.stdout.write(
    `${parser.name.padEnd(14)} ${inputs} inputs in ${seconds} s, slowest ${slowestMs.toFixed(1)} ms (seed ${slowestSeed}), memory ${growth > 0 ? '+' : ''}${Math.round(growth / 1_000)} kB ${problems.join(', ')}\n`,
  );
  if (problems.length > 0) process.exitCode = 1;
}

const isWanted = ({ name }: FuzzedParser) => positionals.length === 0 || positionals.includes(name);

for (const parser of parsers.filter(isWanted)) await report(parser, inputs);
const inProcess = await openInProcessParsers();
for (const parser of inProcess.parsers.filter(isWanted)) await report(parser, inputs);
await inProcess.close();
const live = await openLiveParsers();
for (const parser of live.parsers.filter(isWanted)) await report(parser, Math.min(inputs, MAX_LIVE_INPUTS));
await live.close();

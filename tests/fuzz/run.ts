import process from 'node:process';
import { drawFrom, mutated } from './mutate.ts';

/** Something that reads what comes from the network. */
export interface FuzzedParser {
  name: string;
  /** What is changed: at least one is read without a refusal. */
  samples: readonly Buffer[];
  /** Longest input, where 60 kB are more than a slow reader is asked at once. */
  maxBytes?: number;
  /** @throws what `refuses` knows, and nothing else */
  parse(bytes: Buffer): unknown;
  /** Whether this error is how it says that it will not take something. */
  refuses?(error: unknown): boolean;
}

interface Found {
  /** Processor time of the slowest input, in milliseconds. */
  slowestMs: number;
  /** Seed of the slowest input. */
  slowestSeed: number;
}

/** The input that a seed stands for. */
export const inputOf = ({ samples, maxBytes }: FuzzedParser, seed: number): Buffer =>
  mutated(samples, drawFrom(seed)).subarray(0, maxBytes);

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

/** Reads one input. @throws an error with the seed for one that breaks the parser */
async function read(parser: FuzzedParser, seed: number): Promise<number> {
  const input = inputOf(parser, seed);
  const since = process.cpuUsage();
  try {
    const result = parser.parse(input);
    if (result instanceof Promise) await result;
  } catch (error) {
    if (!parser.refuses?.(error))
      throw new Error(`${parser.name} breaks on the input of seed ${seed} (${input.length} bytes).`, {
        cause: error,
      });
  }
  return cpuMs(since);
}

/**
 * Feeds a parser with `inputs` mutated samples: those of the seeds from `seed` on, so that each can be had again alone.
 * @throws naming the seed of the first input that breaks it
 */
export async function fuzz(
  parser: FuzzedParser,
  { seed, inputs }: { seed: number; inputs: number },
): Promise<Found> {
  const found = { slowestMs: 0, slowestSeed: seed };
  for (let n = 0; n < inputs; n++) {
    let ms = await read(parser, seed + n);
    if (ms <= found.slowestMs) continue;
    // Compilers and collectors count as well, but not every time.
    for (let again = 0; again < 2; again++) ms = Math.min(ms, await read(parser, seed + n));
    if (ms > found.slowestMs) Object.assign(found, { slowestMs: ms, slowestSeed: seed + n });
  }
  return found;
}

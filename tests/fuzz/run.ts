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

/** Notes what is thrown where nobody catches it, until it is told to stop. */
function listenForUncaught() {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, note);
  return {
    refuse(name: string, seed: number) {
      if (uncaught.length > 0)
        throw new Error(`${name} throws what nobody catches, on the input of seed ${seed} or one before.`, {
          cause: uncaught[0],
        });
    },
    stop() {
      for (const event of ['uncaughtException', 'unhandledRejection']) process.off(event, note);
    },
  };
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
  const uncaught = listenForUncaught();
  try {
    for (let n = 0; n < inputs; n++) {
      let ms = await read(parser, seed + n);
      uncaught.refuse(parser.name, seed + n);
      if (ms <= found.slowestMs) continue;
      // Compilers and collectors count as well, but not every time.
      for (let again = 0; again < 2; again++) ms = Math.min(ms, await read(parser, seed + n));
      if (ms > found.slowestMs) Object.assign(found, { slowestMs: ms, slowestSeed: seed + n });
    }
    // A rejection is known to be nobody's when the turn ends in which it came.
    await new Promise((resolve) => setImmediate(resolve));
    uncaught.refuse(parser.name, seed + inputs - 1);
  } finally {
    uncaught.stop();
  }
  return found;
}

import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { seededRandom } from '#server/lib/seeded-random';

/** Random values, equal for equal seeds. */
export interface Random {
  /** From 0 to under 1. */
  number(): number;
  /** An integer from 0 to below `below`. */
  below(below: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** A random key, weighted. */
  weighted<K extends string>(weights: Record<K, number>): K;
  /** A UUIDv7 of this moment. @param msecs milliseconds since 1970 */
  id(msecs: number): string;
}

/**
 * @param seed determines everything except the ids
 * @param owner of the ids: two accounts seeded alike have the same texts under different ids
 */
export function createRandom(seed: number, owner: string): Random {
  const number = seededRandom(seed);
  const idNumber = seededRandom(createHash('sha256').update(`${seed} ${owner}`).digest().readUInt32LE());
  const below = (limit: number) => Math.floor(number() * limit);
  const bytes = new Uint8Array(16);
  return {
    number,
    below,
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
    weighted(weights) {
      const keys = Object.keys(weights) as (keyof typeof weights)[];
      let left = number() * keys.reduce((sum, key) => sum + weights[key], 0);
      const found = keys.find((key) => {
        left -= weights[key];
        return left < 0;
      });
      const [first] = keys;
      if (first === undefined) throw new Error('There is nothing to choose from.');
      return found ?? first;
    },
    id(msecs) {
      for (let at = 0; at < bytes.length; at++) bytes[at] = idNumber() * 256;
      return uuidv7({ random: bytes, msecs, seq: Math.floor(idNumber() * 2 ** 31) });
    },
  };
}

import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { conditionOf } from '#server/dialogue/manners/instructed';
import { createReading } from '#server/engines/reading/index';
import { packOf } from '#server/languages/index';
import { engineReady } from '../support/engine-ready.ts';

const attempts = z.array(
  z.object({
    /** What an instruction is for, as it is read from a prompt. */
    when: z.string(),
    /** What customers say who mean that. */
    meant: z.array(z.string()),
    /** What they say who do not, some of it in the same words. */
    beside: z.array(z.string()),
  }),
);

/** Counts which messages an instruction of their condition is followed for, by `manners/instructed.ts`. */
export async function benchInstructions() {
  const file = new URL('./instructions.json', import.meta.url);
  const sets = attempts.parse(JSON.parse(await readFile(file, 'utf8')));
  const reading = createReading();
  await engineReady(reading);
  const around = {
    knowing: { reading },
    language: packOf('en'),
    signal: new AbortController().signal,
  };
  const followed = async (texts: readonly string[], when: string) => {
    const meant = await Promise.all(texts.map((text) => conditionOf(around, text, [when])));
    return meant.filter((at) => at !== null).length;
  };
  const counts = { meant: 0, followed: 0, beside: 0, wrongly: 0 };
  for (const { when, meant, beside } of sets) {
    counts.meant += meant.length;
    counts.followed += await followed(meant, when);
    counts.beside += beside.length;
    counts.wrongly += await followed(beside, when);
  }
  await reading.close();
  return counts;
}

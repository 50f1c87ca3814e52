import { readFileSync } from 'node:fs';
import type { Act } from '../../messages.ts';
import { TextClassifier } from '../../text-classifier.ts';

/** What the model tells apart, by its place in it; before them stands "none of these". */
export const learnedActs = [
  'yes',
  'no',
  'thanks',
  'goodbye',
  'wait',
  'repeat',
  'misunderstood',
  'hear-me',
  'who-are-you',
  'are-you-human',
  'what-can-you-do',
  'languages',
  'handover',
  'wrong-number',
  'why-contact',
  'time',
  'open-now',
  'weather',
  'never-mind',
  'abuse',
  'compliment',
  'how-are-you',
  'greeting',
  'more',
] as const satisfies readonly Act[];

const model = new TextClassifier(
  readFileSync(new URL('./acts.bin', import.meta.url)),
  1 + learnedActs.length,
);

/**
 * What is likeliest done with a message besides asking, by what it means.
 * @param vector of the whole message, made as of a question
 * @param revision of the reading engine that made it
 * @returns null where it does nothing of the kind, or where the model learnt from vectors of other weights
 */
export function actIn(vector: Float32Array, revision: string): { act: Act; chance: number } | null {
  if (!model.knows(revision)) return null;
  const chances = model.chancesOf(vector);
  const chance = Math.max(...chances);
  const act = learnedActs[chances.indexOf(chance) - 1];
  return act ? { act, chance } : null;
}

import { readFileSync } from 'node:fs';
import type { Act } from '../../messages.ts';
import { TextClassifier } from '../../text-classifier.ts';

/** The model's classes in order; class 0 is "none of these". */
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
 * The most likely act of a message besides asking, by its meaning.
 * @param vector of the whole message, embedded as a question
 * @param revision of the reading engine that made it
 * @returns null for none, or if the model was trained on vectors of other weights
 */
export function actIn(vector: Float32Array, revision: string): { act: Act; chance: number } | null {
  if (!model.knows(revision)) return null;
  const chances = model.chancesOf(vector);
  const chance = Math.max(...chances);
  const act = learnedActs[chances.indexOf(chance) - 1];
  return act ? { act, chance } : null;
}

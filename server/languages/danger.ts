import { readFileSync } from 'node:fs';
import type { Danger } from './messages.ts';
import { TextClassifier } from './text-classifier.ts';

/** Kinds of danger in the order of the model's classes; class 0 is "none". */
export const dangers: readonly Danger[] = ['danger', 'injury', 'despair', 'violence'];
export const CLASSES = dangers.length + 1;

/** The classifier's result for a vector. */
interface Seen {
  /** Probability of danger, 0 to 1. */
  chance: number;
  /** The most likely kind. */
  kind: Danger;
}

/**
 * Probability that counts as danger by meaning alone, and the one that suffices if the words also indicate
 * danger.
 */
export const BY_MEANING = 0.85;
const WITH_WORDS = 0.1;
/** The same for a single sentence, whose context may say that it is long past or a figure of speech. */
const BY_ITSELF = 0.95;

/**
 * Decides whether somebody is in danger.
 * @param byWords result of the language's rules
 * @param seen results for the message, then for its sentences; empty without vectors: then words alone decide
 */
export function decideDanger(byWords: Danger | null, [whole, ...sentences]: readonly Seen[]): Danger | null {
  if (!whole) return byWords;
  if (byWords)
    return Math.max(whole.chance, ...sentences.map(({ chance }) => chance)) >= WITH_WORDS ? byWords : null;
  if (whole.chance >= BY_MEANING) return whole.kind;
  return sentences.find(({ chance }) => chance >= BY_ITSELF)?.kind ?? null;
}

/** Last sentences that are classified individually, and the characters to look for them in. */
const MAX_SENTENCES = 4;
const MAX_END = 600;

/**
 * The sentences of a message that are classified besides the whole: the last ones, since a danger may follow
 * a long story or another request.
 */
export function readByThemselves(text: string, splitSentences: (text: string) => string[]): string[] {
  const sentences = splitSentences(text.slice(-MAX_END));
  return sentences.length > 1 ? sentences.slice(-MAX_SENTENCES) : [];
}

const classifier = new TextClassifier(readFileSync(new URL('./danger.bin', import.meta.url)), CLASSES);

/**
 * Classifies a vector.
 * @param vector embedded as a question
 * @param revision of the reading engine that made it
 * @returns null if the classifier was trained on vectors of other weights
 */
export const seeDanger = (vector: Float32Array, revision: string): Seen | null =>
  classifier.knows(revision) ? seenBy(classifier, vector) : null;

export function seenBy(by: TextClassifier, vector: Float32Array): Seen {
  const [none = 0, ...kinds] = by.chancesOf(vector);
  return { chance: 1 - none, kind: dangers[kinds.indexOf(Math.max(...kinds))] ?? 'danger' };
}

import { readFileSync } from 'node:fs';
import type { Danger } from './messages.ts';
import { TextClassifier } from './text-classifier.ts';

/** Kinds of danger, by their place in the model; before them stands "none". */
export const dangers: readonly Danger[] = ['danger', 'injury', 'despair', 'violence'];
export const CLASSES = dangers.length + 1;

/** What a vector says of danger. */
interface Seen {
  /** How likely somebody is in danger, 0 to 1. */
  chance: number;
  /** The kind that it would be. */
  kind: Danger;
}

/** Chance from which what a text means is danger by itself, and from which it is where its words say so, too. */
export const BY_MEANING = 0.85;
const WITH_WORDS = 0.1;
/** The same of a sentence without those around it, which may have said that it is long past, or no more than a manner of speaking. */
const BY_ITSELF = 0.95;

/**
 * Whether somebody is in danger.
 * @param byWords what the rules of the language say
 * @param seen what the message means, and then its sentences, each by itself; none where nothing can be read: then the words
 *   alone decide
 */
export function decideDanger(byWords: Danger | null, [whole, ...sentences]: readonly Seen[]): Danger | null {
  if (!whole) return byWords;
  if (byWords)
    return Math.max(whole.chance, ...sentences.map(({ chance }) => chance)) >= WITH_WORDS ? byWords : null;
  if (whole.chance >= BY_MEANING) return whole.kind;
  return sentences.find(({ chance }) => chance >= BY_ITSELF)?.kind ?? null;
}

/** Sentences at the end that are read by themselves, too, and the characters in which they are looked for. */
const MAX_SENTENCES = 4;
const MAX_END = 600;

/**
 * The sentences of a message that are read for danger beside the whole: of several the last ones, since somebody may tell a long
 * story first, or ask for something else.
 */
export function readByThemselves(text: string, splitSentences: (text: string) => string[]): string[] {
  const sentences = splitSentences(text.slice(-MAX_END));
  return sentences.length > 1 ? sentences.slice(-MAX_SENTENCES) : [];
}

const classifier = new TextClassifier(readFileSync(new URL('./danger.bin', import.meta.url)), CLASSES);

/**
 * What a vector says of danger.
 * @param vector made as of a question
 * @param revision of the reading engine that made it
 * @returns null where the classifier learnt from vectors of other weights
 */
export const seeDanger = (vector: Float32Array, revision: string): Seen | null =>
  classifier.knows(revision) ? seenBy(classifier, vector) : null;

export function seenBy(by: TextClassifier, vector: Float32Array): Seen {
  const [none = 0, ...kinds] = by.chancesOf(vector);
  return { chance: 1 - none, kind: dangers[kinds.indexOf(Math.max(...kinds))] ?? 'danger' };
}

import type { Place } from './places.ts';

/** The word before a position in an answer, without a break in between. */
export interface Before {
  is: 'nothing' | 'article' | 'word' | 'day' | 'number' | 'counted' | 'verb' | 'object';
  /** Its kind: article, verb, compared word, or figures. */
  what: string;
  /** The preposition that governs the words; '' for none. */
  preposition: string;
  /** "Without" precedes it. */
  isNegated: boolean;
  /** Where it may be in the read-back; a closely following word must be there, too. Empty: anywhere. */
  chunks: readonly number[];
}

export const nothing: Before = { is: 'nothing', what: '', preposition: '', isNegated: false, chunks: [] };

/** A repeated part of the read-back in an answer. */
export interface Repeated {
  is: 'word' | 'day' | 'number' | 'counted';
  what: string;
  /** Index after it. */
  end: number;
  chunks: readonly number[];
}

/** Prepositions that set a limit: "until Friday" is not "on Friday". */
export const limits: ReadonlySet<string> = new Set([
  'until',
  'by',
  'before',
  'after',
  'between',
  'since',
  'within',
]);

/**
 * Whether something has the same role as in the read-back: moved from or to it, excluded or not.
 * @param rest the following words: what is moved from something is moved to something
 */
export function isSameRole(
  place: Place,
  { preposition, isNegated }: Before,
  rest: readonly string[],
): boolean {
  if (place.isNegated !== isNegated) return false;
  if (!place.isSource) return preposition !== 'from' || place.preposition === 'from';
  return rest.includes('to') && (preposition === 'from' || (preposition === '' && rest[0] === 'to'));
}

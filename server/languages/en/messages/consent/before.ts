import type { Place } from './places.ts';

/** What stands before a word of an answer and is not parted from it. */
export interface Before {
  is: 'nothing' | 'article' | 'word' | 'day' | 'number' | 'counted' | 'verb' | 'object';
  /** The article, the verb, the word as it is compared, or the figures. */
  what: string;
  /** That the words depend on; '' for none. */
  preposition: string;
  /** "Without" stands before it. */
  isNegated: boolean;
  /** Where it may stand in what was read back; what follows closely has to stand there, too. Empty: anywhere. */
  chunks: readonly number[];
}

export const nothing: Before = { is: 'nothing', what: '', preposition: '', isNegated: false, chunks: [] };

/** Something in an answer that was read back. */
export interface Repeated {
  is: 'word' | 'day' | 'number' | 'counted';
  what: string;
  /** Place of the word behind it. */
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
 * Whether something is moved from and to the same, and left out or not, as it was read back.
 * @param rest the words behind it: what is moved away from something is moved to something
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

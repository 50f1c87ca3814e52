import type { Token } from './tokens.ts';
import { isNumber, ordinalAt } from './values.ts';
import { isDateWord, isMonth, isPreposition, isWeekday, negators, prepositionOf } from './vocabulary.ts';

/** The role of a word or number in the read-back. */
export interface Place {
  at: number;
  /** The preposition that governs it; '' for none. */
  preposition: string;
  /** A source: "from Monday", the first of "Zurich to London". */
  isSource: boolean;
  /** "Without breakfast". */
  isNegated: boolean;
  /** Words of one chunk belong together: "two large pizzas". */
  chunk: number;
  /** A name that continues after a comma: "Orchard Road, Leeds", "her grandmother, Rosa". */
  goesOn: boolean;
}

/** How many words back a preposition is searched. */
const REACH = 4;
/** How many words after a source its goal is searched. */
const SOURCE_REACH = 8;
/** How many words back a negation is searched. */
const NEGATION_REACH = 3;

/**
 * The role of each word: what governs it, and its chunk.
 * @param isList of labels and values, in which "with" is not a preposition
 */
export function placesOf(tokens: readonly Token[], isList: boolean): Place[] {
  let chunk = 0;
  return tokens.map((token, at) => {
    if (at > 0 && opensChunk(token)) chunk++;
    const { preposition: found, prepositionAt } = dependence(tokens, at);
    const preposition = isList && found === 'with' ? '' : found;
    const next = tokens[at + 1];
    return {
      at,
      preposition,
      isSource: isSource(tokens, at, preposition, prepositionAt),
      isNegated: isNegated(tokens, at),
      chunk,
      goesOn: next?.isAfterBreak === true && next.isCapital,
    };
  });
}

const opensChunk = ({ text, isAfterBreak }: Token) =>
  isAfterBreak || text === '?' || text === 'and' || (isPreposition(text) && text !== 'of');

function dependence(tokens: readonly Token[], at: number): { preposition: string; prepositionAt: number } {
  if (isRate(tokens, at)) return { preposition: 'per', prepositionAt: -1 };
  // "From the 1st of October" is from October.
  const [ordinal, of] = [tokens[at - 2]?.text ?? '', tokens[at - 1]?.text];
  if (of === 'of' && isMonth(tokens[at]?.text ?? '') && ordinalAt([ordinal], 0))
    return dependence(tokens, at - 2);
  const isCounted = isNumber(tokens[at]?.text ?? '');
  for (let n = at; n > 0 && at - n < REACH; n--) {
    const before = tokens[n - 1]?.text ?? '';
    // "On Tuesday, the 18th".
    if (tokens[n]?.isAfterBreak && !(n === at && isWeekday(before))) break;
    if (before === 'and' && isBetween(tokens, n - 1)) return { preposition: 'between', prepositionAt: n - 1 };
    if (isPreposition(before)) return { preposition: prepositionOf(before), prepositionAt: n - 1 };
    if (before === 'and' || before === '?' || (isCounted && isNumber(before))) break;
  }
  return { preposition: '', prepositionAt: -1 };
}

/** "Fifteen dollars a month". */
function isRate(tokens: readonly Token[], at: number): boolean {
  const [before, article, word] = [tokens[at - 2], tokens[at - 1], tokens[at]];
  return (
    before !== undefined &&
    /^(?:an?|per|each|every)$/.test(article?.text ?? '') &&
    isDateWord(word?.text ?? '') &&
    !isPreposition(before.text) &&
    article?.isAfterBreak === false
  );
}

/** Whether the "and" at a place is that of "between nine and eleven". */
function isBetween(tokens: readonly Token[], at: number): boolean {
  for (let n = at - 1; n >= 0 && at - n <= REACH; n--) {
    const { text = '', isAfterBreak = true } = tokens[n] ?? {};
    if (text === 'between') return true;
    if (isAfterBreak || (isPreposition(text) && text !== 'of') || text === 'and') return false;
  }
  return false;
}

function isSource(tokens: readonly Token[], at: number, preposition: string, prepositionAt: number): boolean {
  if (preposition === 'from')
    return tokens.slice(at + 1, prepositionAt + SOURCE_REACH).some(({ text }) => text === 'to');
  const [self, joint, goal] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  return self?.isCapital === true && joint?.text === 'to' && !joint.isAfterBreak && goal?.isCapital === true;
}

/** "Without breakfast", "not refunded". */
export function isNegated(tokens: readonly Token[], at: number): boolean {
  for (let n = at; n > 0 && at - n < NEGATION_REACH; n--) {
    if (tokens[n]?.isAfterBreak) return false;
    if (negators.has(tokens[n - 1]?.text ?? '')) return true;
  }
  return false;
}

import { packOf } from '#server/languages/index';

/** Up to this length, dividing a text gains nothing that a listener would notice. */
const SHORT = 40;
/** Up to this length, a text is divided only at a mark. */
const MEDIUM = 55;
/** Shortest first words: long enough to play while the rest is made, short enough to be ready at once. */
const MIN_FIRST = 16;
const MAX_FIRST = 60;
const MIN_REST = 12;

/**
 * Divides a text so that its beginning plays while the rest is made: synthesis time grows with length.
 * Divides at the ends of sentences; if the first words are wanted soon, the first sentence also where a
 * speaker would breathe: at its first good mark, else before a clause.
 * @param text as written, a sentence or more
 * @param language its language (BCP 47); places without a mark are known in languages that have a pack
 * @returns the text in phrases; joining them with spaces restores it
 */
export function phrasesOf(text: string, firstWordsSoon: boolean, language = 'en'): string[] {
  const sentences = packOf(language).splitSentences(text);
  // The sentence splitter may normalise text, but every word must come back.
  const [first = text, ...others] = sentences.join(' ') === text ? sentences : [text];
  return [...(firstWordsSoon ? inBreaths(first, language) : [first]), ...others];
}

function inBreaths(text: string, language: string): string[] {
  if (text.length < SHORT) return [text];
  const marks = [...text.matchAll(/(?:[,;:]| [–—])(?= )/g)].map(({ 0: mark, index }) => index + mark.length);
  const pack = packOf(language);
  const isKnown = language.toLowerCase().startsWith(pack.tag.toLowerCase());
  const clauses = text.length > MEDIUM && isKnown ? pack.speech.placesToBreathe(text) : [];
  const at = marks.find((at) => isGood(text, at, 3)) ?? clauses.find((at) => isGood(text, at, 4));
  return at === undefined ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function isGood(text: string, at: number, words: number): boolean {
  const first = text.slice(0, at);
  const rest = text.slice(at + 1);
  return (
    first.length >= MIN_FIRST &&
    first.length <= MAX_FIRST &&
    first.split(' ').length >= words &&
    rest.length >= MIN_REST &&
    !isOpen(first) &&
    // A year belongs to its date, a number to its list or range.
    !/^\d/.test(rest)
  );
}

/** Text in brackets or quotes is said in one breath. */
const isOpen = (text: string) =>
  text.lastIndexOf('(') > text.lastIndexOf(')') || (text.match(/["“”]/g)?.length ?? 0) % 2 === 1;

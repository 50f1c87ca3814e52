/** A text up to this length is spoken so quickly that dividing it would gain nothing a listener notices. */
const SHORT = 60;
/** The first words: enough to keep the listener busy while the rest is made, few enough to be there at once. */
const MIN_FIRST = 16;
const MAX_FIRST = 60;
const MIN_REST = 12;

/**
 * Divides a text at its first good mark, so that its first words are heard while the rest is still being made: the time
 * to make speech grows with its length.
 * @param text as it is written, a sentence or more
 * @returns the text in one or two phrases; a space joins them again
 */
export function phrasesOf(text: string): string[] {
  if (text.length <= SHORT) return [text];
  for (const { index } of text.matchAll(/[,;:](?= )/g)) {
    const first = text.slice(0, index + 1);
    if (first.length > MAX_FIRST) break;
    const rest = text.slice(index + 2);
    if (first.length >= MIN_FIRST && rest.length >= MIN_REST && !isOpen(first)) return [first, rest];
  }
  return [text];
}

/** What stands in brackets or quotes is said in one breath. */
const isOpen = (text: string) =>
  text.lastIndexOf('(') > text.lastIndexOf(')') || (text.match(/["“”]/g)?.length ?? 0) % 2 === 1;

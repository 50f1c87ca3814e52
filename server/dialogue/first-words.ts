import type { ReplyEvent } from './contract.ts';

/** A sentence up to this length is spoken so quickly that dividing it would gain nothing a listener notices. */
const SHORT = 60;
/** The first words: enough to keep the listener busy while the rest is made, few enough to be there at once. */
const MIN_FIRST = 16;
const MAX_FIRST = 60;
const MIN_REST = 12;

/**
 * Divides the first sentence of a reply at its first good mark, so that its first words are heard while the rest is
 * still being made: the time to make speech grows with its length, and only the first sentence is waited for.
 */
export async function* firstWordsSoon(events: AsyncIterable<ReplyEvent>): AsyncGenerator<ReplyEvent> {
  let added = 0;
  for await (const event of events) {
    if (event.type !== 'sentence') {
      yield event;
      continue;
    }
    const pieces = event.index === 0 ? divide(event.text) : [event.text];
    for (const [n, text] of pieces.entries())
      yield {
        type: 'sentence',
        index: event.index + added + n,
        text,
        isLast: event.isLast && n === pieces.length - 1,
      };
    added += pieces.length - 1;
  }
}

/** @returns the sentence in one or two pieces; a space joins them again */
export function divide(sentence: string): string[] {
  if (sentence.length <= SHORT) return [sentence];
  for (const { index } of sentence.matchAll(/[,;:](?= )/g)) {
    const first = sentence.slice(0, index + 1);
    if (first.length > MAX_FIRST) break;
    const rest = sentence.slice(index + 2);
    if (first.length >= MIN_FIRST && rest.length >= MIN_REST && !isOpen(first)) return [first, rest];
  }
  return [sentence];
}

/** What stands in brackets or quotes is said in one breath. */
const isOpen = (text: string) =>
  text.lastIndexOf('(') > text.lastIndexOf(')') || (text.match(/["“”]/g)?.length ?? 0) % 2 === 1;

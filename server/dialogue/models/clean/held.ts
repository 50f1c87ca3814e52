/**
 * Rewrites a streamed text, wherever it is cut.
 * @param isOpen where a pattern begins that more text may complete; -1 if none
 * @param rewrite a stretch of text without an open pattern
 * @param longest characters held back at most: a longer pattern is none
 */
export async function* rewritten(
  pieces: AsyncIterable<string>,
  isOpen: (text: string) => number,
  rewrite: (text: string) => string,
  longest: number,
): AsyncGenerator<string> {
  let held = '';
  for await (const piece of pieces) {
    held += piece;
    const open = isOpen(held);
    const end = open >= 0 && held.length - open <= longest ? open : held.length;
    const text = rewrite(held.slice(0, end));
    held = held.slice(end);
    if (text !== '') yield text;
  }
  const text = rewrite(held);
  if (text !== '') yield text;
}

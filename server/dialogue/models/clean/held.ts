/**
 * Rewrites a text that comes in pieces, wherever it is cut.
 * @param isOpen where in a text something begins that more text may complete; -1 where all of it is complete
 * @param rewrite a stretch of text in which nothing is open
 * @param longest characters that are held back at most: what grows longer was nothing
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

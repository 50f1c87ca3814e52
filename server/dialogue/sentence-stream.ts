/**
 * Cuts a stream of text pieces into sentences as they complete. The last piece comes when the stream ends.
 * A full stop ends a sentence only once the next word has begun, so that "5.99" and "e.g. this" stay whole.
 */
export async function* sentencesFrom(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    for (;;) {
      const cut = firstEnd(text);
      if (cut === null) break;
      const sentence = text.slice(0, cut).trim();
      text = text.slice(cut);
      if (sentence) yield sentence;
    }
  }
  if (text.trim()) yield text.trim();
}

/** Place after the first finished sentence, or null. */
function firstEnd(text: string): number | null {
  const pattern = /[.!?]+["')\]]*(?=\s+\S)|\n+/g;
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (match[0].startsWith('\n')) {
      if (text.slice(0, end).trim()) return end;
      continue;
    }
    const sentence = text.slice(0, end);
    const next = text.slice(end).trimStart();
    if (
      match[0].startsWith('.') &&
      (/^[a-z]/.test(next) ||
        /\b(?:e\.g|i\.e|etc|approx|no|mr|mrs|ms|dr|st|vs|a\.m|p\.m|[A-Z])\.$/i.test(sentence))
    )
      continue;
    return end;
  }
  return null;
}

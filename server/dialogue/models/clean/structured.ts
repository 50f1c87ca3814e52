/** Keys of an answer object that hold its words. */
const WORDS = ['answer', 'response', 'reply', 'message', 'text', 'content', 'output'] as const;
/** Longer than any answer. */
const MOST = 20_000;

/**
 * Unpacks an answer that is entirely a JSON object; other text passes unchanged. An object without words says nothing.
 */
export async function* unpacked(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let held: string | null = '';
  for await (const piece of pieces) {
    if (held === null) {
      yield piece;
      continue;
    }
    held += piece;
    const begun = held.trimStart();
    const mayBeObject =
      begun === '' || /^(?:`{1,3}(?:j(?:s(?:on?)?)?)?\s*$|`{3}(?:json)?\s*\{|\{)/i.test(begun);
    if (mayBeObject && held.length < MOST) continue;
    yield held;
    held = null;
  }
  if (held) yield wordsIn(held);
}

function wordsIn(text: string): string {
  const begun = text.trim().replace(/^`{3}(?:json)?/i, '');
  const json = (begun.endsWith('```') ? begun.slice(0, -3) : begun).trim();
  if (!json.startsWith('{')) return text;
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch {
    return '';
  }
  if (typeof read !== 'object' || read === null) return '';
  for (const name of WORDS) {
    const words: unknown = Reflect.get(read, name);
    if (typeof words === 'string') return words;
  }
  return '';
}

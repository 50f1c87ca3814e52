/** Counts characters as a person does: an emoji is one, although JavaScript and JSON keep it as two units. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // The second half of a surrogate pair belongs to the first.
    if (code < 0xdc00 || code > 0xdfff) count++;
  }
  return count;
}

/** Whether a text has at most `max` characters. */
export const atMost = (text: string, max: number) => text.length <= max || countCharacters(text) <= max;

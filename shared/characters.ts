/** Characters as a person counts them: an emoji is one, though JavaScript and JSON keep it as two units. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // The second half of a pair belongs to the first.
    if (code < 0xdc00 || code > 0xdfff) count++;
  }
  return count;
}

/** Whether a text has at most so many characters. */
export const atMost = (text: string, max: number) => text.length <= max || countCharacters(text) <= max;

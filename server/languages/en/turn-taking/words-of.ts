/** The words of a lower-case text, without marks except those inside words. */
export const wordsOf = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}@$€£#][\p{L}\p{N}'@._+%:/,-]*/gu) ?? [])
    .map((word) => word.replace(/(?<![^\p{L}\p{N}%@])[^\p{L}\p{N}%@]+$/u, ''))
    .filter((word) => word !== '');

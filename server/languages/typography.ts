/** Normalises typographic quotes, dashes and spaces. */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u201a\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e]/g, '"')
    .replace(/[\u00a0\u2000-\u200b\u202f]/g, ' ');
}

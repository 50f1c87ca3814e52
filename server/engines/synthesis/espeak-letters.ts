/**
 * eSpeak NG, which turns words into phonemes for Piper, reads a lone "A" as the article. Inside a run of
 * letters it is written as it sounds; tested with the recogniser: "V A T" was recognised as "VATs", "V eigh
 * T" as "VAT".
 */
export const lettersForEspeak = (words: string): string =>
  words.replace(/(?<![\p{L}'])(?:\p{Lu} ){1,39}\p{Lu}(?:s|'s)?(?![\p{L}'])/gu, (letters) =>
    letters.replace(/(?<=^| )A(?=$| |s|')/g, 'eigh'),
  );

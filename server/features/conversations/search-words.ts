/** Longer words, such as a pasted key, are found by their beginning. */
const MAX_WORD_CHARACTERS = 64;
/** Keeps the index of an endless conversation under PostgreSQL's 1 MB for a row of words. */
const MAX_WORDS = 20_000;
const MAX_WANTED = 16;
/** One letter begins so many words that reading them all is not worth it. */
const MIN_BEGINNING = 2;

/** Scripts without spaces between words: every character counts as a word. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const word = new RegExp(
  `[${UNSPACED}]|\\p{Extended_Pictographic}|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
);
/** Accents, and the vowel points of Hebrew and Arabic, which people omit when they search. */
const points = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]/g;
const apostrophe = /(?<=\p{L})['’](?=\p{L})/gu;

/** Each distinct word of the texts, as indexed: lower case, without accents; letters and digits of every script. */
export function indexedWords(texts: Iterable<string>): string[] {
  const words = new Set<string>();
  for (const text of texts)
    for (const found of wordsIn(text)) {
      words.add(found);
      if (words.size >= MAX_WORDS) return [...words];
    }
  return [...words];
}

/**
 * A search as a `tsquery` of the index: every word of it, the last one as a prefix. Quotes, operators and punctuation
 * have no meaning.
 * @returns null if it has no word
 */
export function wantedWords(search: string): string | null {
  const wanted = wordsIn(search).slice(0, MAX_WANTED);
  const last = wanted.pop();
  if (last === undefined) return null;
  const begun = [...last].length >= MIN_BEGINNING ? ':*' : '';
  return [...new Set(wanted.map((each) => `'${each}'`)), `'${last}'${begun}`].join(' & ');
}

function wordsIn(text: string): string[] {
  const found = plain(text).match(word) ?? [];
  return found.map((each) =>
    each.length > MAX_WORD_CHARACTERS ? [...each].slice(0, MAX_WORD_CHARACTERS).join('') : each,
  );
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(points, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(apostrophe, '');
}

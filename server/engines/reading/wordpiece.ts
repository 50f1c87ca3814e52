/** Ids of BERT's special tokens in `vocab.txt`. */
const CLS = 101;
const SEP = 102;
const UNKNOWN = 100;
/** As in BERT's own tokenizer: a longer string is not a word. */
const MAX_WORD = 100;
/** More than any text has; the rest is cut off unread. */
const CHARACTERS_PER_TOKEN = 100;

export interface Tokens {
  ids: number[];
  /** 0 for the first text, 1 for the second. */
  types: number[];
}

interface WordPiece {
  /** One text, cut to `max` tokens. */
  one(text: string, max: number): Tokens;
  /** Two texts; the second is cut first, the first at half of `max`. */
  pair(first: string, second: string, max: number): Tokens;
}

/**
 * BERT's uncased WordPiece (Devlin et al. 2018): lower case without accents, words and punctuation separated,
 * longest pieces first.
 */
export function createWordPiece(vocabulary: string): WordPiece {
  const ids = new Map(vocabulary.split('\n').map((piece, id) => [piece, id]));
  const pieces = (text: string, max: number): number[] => {
    const found: number[] = [];
    for (const word of wordsOf(text.slice(0, max * CHARACTERS_PER_TOKEN))) {
      if (found.length >= max) break;
      found.push(...piecesOf(word, ids));
    }
    return found.slice(0, max);
  };
  return {
    one(text, max) {
      const inside = pieces(text, max - 2);
      return { ids: [CLS, ...inside, SEP], types: new Array<number>(inside.length + 2).fill(0) };
    },
    pair(first, second, max) {
      const a = pieces(first, Math.floor(max / 2));
      const b = pieces(second, max - 3 - a.length);
      return {
        ids: [CLS, ...a, SEP, ...b, SEP],
        types: [...new Array<number>(a.length + 2).fill(0), ...new Array<number>(b.length + 1).fill(1)],
      };
    },
  };
}

/** Ideographs: each is a word of its own. */
const ideograph =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u;
const mark = /[!-/:-@[-`{-~]|\p{P}/u;

function wordsOf(text: string): string[] {
  const clean = text
    .replace(/[\p{Cc}\p{Cf}\p{Co}\ufffd]/gu, (c) => (/[\t\n\r]/.test(c) ? ' ' : ''))
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');
  const words: string[] = [];
  let word = '';
  for (const c of clean) {
    const isSpace = /\s/u.test(c);
    if (isSpace || mark.test(c) || ideograph.test(c)) {
      if (word) words.push(word);
      word = '';
      if (!isSpace) words.push(c);
    } else word += c;
  }
  if (word) words.push(word);
  return words;
}

function piecesOf(word: string, ids: ReadonlyMap<string, number>): number[] {
  if (word.length > MAX_WORD && [...word].length > MAX_WORD) return [UNKNOWN];
  const found: number[] = [];
  for (let start = 0; start < word.length; ) {
    let end = word.length;
    let id: number | undefined;
    for (; end > start; end--) {
      id = ids.get((start > 0 ? '##' : '') + word.slice(start, end));
      if (id !== undefined) break;
    }
    if (id === undefined) return [UNKNOWN];
    found.push(id);
    start = end;
  }
  return found;
}

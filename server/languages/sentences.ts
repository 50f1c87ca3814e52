/** Words of a language after which a full stop does not end a sentence. */
export interface SentenceMarks {
  /** Never end a sentence, because something always follows: titles, "e.g.", "approx. 20 min". */
  neverEnd: readonly string[];
  /**
   * End a sentence if the next text begins like one: "min 15 min. Quote good for …", "till 5 p.m. Ring …".
   */
  mayEnd: readonly string[];
  /** End a sentence unless a figure follows: "No. 5". */
  beforeFigures: readonly string[];
  /** Beginnings of month names: "am 3. März" continues. */
  months: readonly string[];
}

/**
 * Marks that end a sentence; in scripts without spaces nothing need follow. Of several marks the first
 * counts.
 */
const boundary =
  /(?<![.!?…])[.!?…]+["'”’»)\]]*(?=\s|$)|[。！？｡]+[」』”）]*|(?<![؟।])[؟।]+(?=\s|$)|[.!?](?=\p{Lu}[\p{Ll}\s])/gu;

/**
 * Creates the function that splits prose into sentences, with closing marks, by the words of some languages.
 * A full stop in numbers, addresses, initials and everyday abbreviations ends none.
 */
export function sentenceSplitter(languages: readonly SentenceMarks[]): (text: string) => string[] {
  const abbreviations: Abbreviations = {
    never: new Set(languages.flatMap(({ neverEnd }) => neverEnd)),
    perhaps: new Set(languages.flatMap(({ mayEnd }) => mayEnd)),
    beforeFigures: new Set(languages.flatMap(({ beforeFigures }) => beforeFigures)),
    months: new RegExp(`^(?:${languages.flatMap(({ months }) => months).join('|')})`, 'i'),
  };
  return (text) => split(text, abbreviations);
}

interface Abbreviations {
  never: ReadonlySet<string>;
  perhaps: ReadonlySet<string>;
  beforeFigures: ReadonlySet<string>;
  months: RegExp;
}

function split(text: string, abbreviations: Abbreviations): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const match of text.matchAll(boundary)) {
    const end = match.index + match[0].length;
    // Only text near the mark matters; using the whole rest would take quadratic time.
    const before = text.slice(Math.max(start, match.index - 60), match.index);
    const next = text.slice(end, end + 40);
    if (next.trim() && !endsHere(before, match[0], next, abbreviations)) continue;
    const whole = text.slice(start, end).trim();
    if (whole) sentences.push(whole);
    start = end;
  }
  const rest = text.slice(start).trim();
  if (rest) sentences.push(rest);
  return sentences;
}

function endsHere(
  before: string,
  mark: string,
  after: string,
  { never, perhaps, beforeFigures, months }: Abbreviations,
): boolean {
  const next = after.trimStart();
  if (/[。！？｡؟।]/.test(mark)) return true;
  // Sentences glued together ("grow up strong.But did you") end; names with a dot (Node.Js, e.Bay) do not.
  if (next === after)
    return /(?:\p{Ll}{3}|\d|\))$/u.test(before) && !/[/@]|www\./i.test(/(?<!\S)\S*$/.exec(before)?.[0] ?? '');
  if (/[!?]/.test(mark)) return !/^["'”’)\]]*\p{Ll}/u.test(next);
  if (/^[\w.+-]+@\w/.test(next)) return true;
  // An ellipsis before a small letter continues, as do a dash and a comma.
  if (/^["'“‘«([]*[\p{Ll}]|^[,;:–—-]\s/u.test(next)) return false;
  // No sentence begins with "=" or "+"; text in brackets stays together ("(upd. Sept 26)").
  if (/^[=+/&<>)\]%]/.test(next)) return false;
  if (/\([^()]*$/.test(before) && !mark.includes(')') && /^[^(]{0,38}\)/.test(next)) return false;
  if (!mark.startsWith('.') || mark.startsWith('..')) return true;
  const word = /(?<![^\s("'“‘«[])[^\s("'“‘«[]+$/.exec(before)?.[0] ?? '';
  const lower = word.toLowerCase();
  if (/^\p{Lu}$/u.test(word)) return !isInitial(before, next);
  // "won't." ends a sentence, "e. g." does not.
  if (/^\p{Ll}$/u.test(word)) return /\p{L}['’]\p{Ll}$/u.test(before);
  // "3. Returns": a number on its own is an enumeration; "am 3. März" continues.
  if (/^\s*\(?\d{1,3}$/.test(before) && before.trim() === word) return false;
  if (/^\d{1,2}$/.test(word) && months.test(next)) return false;
  if (beforeFigures.has(lower)) return !/^\d/.test(next);
  if (never.has(lower) && !perhaps.has(lower)) return false;
  if ((perhaps.has(lower) || /^\p{L}\.\p{L}$/u.test(lower)) && !mark.includes(')')) {
    const following = /^[\p{L}.]+/u.exec(next)?.[0].replace(/\.$/, '').toLowerCase() ?? '';
    return (
      /^["'“‘«([]*[\p{Lu}£$€]/u.test(next) && !(perhaps.has(following) && next[following.length] === '.')
    );
  }
  return true;
}

/**
 * "J. Smith", "John F. Kennedy"; but a capital after a small word ends a sentence ("with vitamin C. Take").
 */
const isInitial = (before: string, next: string) =>
  /^\p{Lu}/u.test(next) && !/(?:^|\s)\p{Ll}+\s\p{Lu}$/u.test(before);

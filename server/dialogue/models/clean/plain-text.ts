import { rewritten } from './held.ts';

/** A line that may still become an item, a heading, a fence or a row of a table. */
const LINE_OPEN = /^[ \t]{0,8}(?:\|[^\n]{0,500}|(?:#{1,6}|[-*•+>]|\d{1,2}[.)]?|`{1,3}\w{0,20})?[ \t]{0,8})$/u;
/** Marks within a line that more of it completes. */
const INLINE_OPEN =
  /(?:(?<!\*)\*+|(?<!_)_+|(?<!~)~+|(?<!`)`+|!?\[[^\]\n]{0,200}(?:\](?:\([^)\n]{0,400})?)?|<[a-z/][^<>\n]{0,40}|&[a-z#\d]{0,8}|\\)$/u;
const LONGEST = 600;

/**
 * Turns streamed markdown into plain text, since asterisks cannot be read aloud. List items, headings and table rows
 * stay, each on its own line.
 */
export async function* plainText(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '\n';
  yield* rewritten(
    pieces,
    openAt,
    (text) => {
      const plain = withoutInline(withoutLineMarks(text, before === '\n'), before);
      before = text.at(-1) ?? before;
      return plain;
    },
    LONGEST,
  );
}

/** Where the text begins that waits for more of its line; -1 if none. */
function openAt(text: string): number {
  const begin = text.lastIndexOf('\n') + 1;
  const line = text.slice(begin);
  if (LINE_OPEN.test(line)) return Math.max(0, begin - 1);
  const at = line.search(INLINE_OPEN);
  return at < 0 ? -1 : begin + at;
}

function withoutLineMarks(text: string, isLineBegin: boolean): string {
  return text
    .split('\n')
    .map((line, n) => (n > 0 || isLineBegin ? withoutLineMark(line) : line))
    .join('\n');
}

const withoutLineMark = (line: string): string => {
  const isRule = /^[\s:|*_-]*$/.test(line) && /[-*_]{2}/.test(line);
  if (isRule || /^\s{0,8}(?:`{3}|~{3})\w{0,20}\s{0,8}$/.test(line)) return '';
  const bare = line.replace(/^\s*(?:>\s?)*(?:#{1,6}\s+|[-*•+–]\s+|\d{1,2}[.)]\s+)?/, '');
  if (!/^\|.*\|\s*$/.test(bare)) return bare;
  return bare
    .split('|')
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(', ');
};

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** @param before the character before the text */
const withoutInline = (text: string, before: string): string =>
  withoutEmphasis(
    text
      .replace(/!\[[^\]\n]{0,200}\]\([^)\n]{0,400}\)/g, '')
      .replace(/\[([^\]\n]{1,200})\]\([^)\n]{0,400}\)/g, '$1')
      .replace(/<\/?(?:b|i|u|em|strong|span|p|div|ul|ol|li|code|small|sup|sub)>/gi, '')
      .replace(/<br\s*\/?>/gi, '\n')
      .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
      .replace(/~~|`+/g, ''),
    before,
  ).replace(/\\([*_#[\]()`~>.$!-])/g, '$1');

/** Keeps asterisks between spaces or figures ("3 * 4"), and underscores within words. */
const withoutEmphasis = (text: string, before: string): string =>
  text.replace(/\*+|_+/g, (run, at: number) => {
    const [left, right] = [text[at - 1] ?? before, text[at + run.length] ?? '\n'];
    if (left === '\\') return run;
    if (run.startsWith('_')) return WORD.test(left) && WORD.test(right) ? run : '';
    const isTimes = run === '*' && ((left === ' ' && right === ' ') || (/\d/.test(left) && /\d/.test(right)));
    return isTimes ? run : '';
  });

const WORD = /[\p{L}\p{N}]/u;

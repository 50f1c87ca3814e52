import type { LanguagePack } from '#server/languages/contract';
import type { Block } from './blocks.ts';
import { endsSentence, isBrokenForWidth, isTitle, labelOf, linesOf, unmarked, wordsIn } from './lines.ts';

/** In words: a longer line is prose. */
const LONGEST_ITEM = 14;

/**
 * Recognises list items without a mark: lines after one with a final colon, up to the first sentence, and lines that
 * begin in lower case although their first word would have fitted above.
 */
export function withListedLines(blocks: readonly Block[], language: LanguagePack): Block[] {
  return blocks.flatMap((block, n): Block[] => {
    if (block.type !== 'paragraph') return [block];
    const lines = linesOf(block.text);
    const previous = blocks[n - 1];
    const isIntroduced =
      previous?.type === 'paragraph' && unmarked(previous.text).endsWith(':') && !asksAbove(previous.text);
    if (isIntroduced && areItems(lines) && lines.every(isItem)) return [listOf(lines)];
    return divided(lines, language) ?? [block];
  });
}

/** A paragraph with its lists and the text around them; null without a list. */
function divided(lines: readonly string[], language: LanguagePack): Block[] | null {
  const isWrapped = isBrokenForWidth(lines);
  const out: Block[] = [];
  let done = 0;
  for (let n = 0; n < lines.length; n++) {
    const line = lines[n] ?? '';
    const plain = unmarked(line);
    const isIntroduction = plain.endsWith(':') && !asksAbove(line);
    const isTitled =
      !isWrapped && !endsSentence(plain) && beginsSmall(lines[n + 1]) && beginsSmall(lines[n + 2]);
    if (!isIntroduction && !isTitled) continue;
    let end = n + 1;
    while (end < lines.length && isItem(lines[end] ?? '')) end++;
    const items = lines.slice(n + 1, end);
    // A sentence continues below them: its lines only break where links were.
    if (!areItems(items) || beginsSmall(lines[end])) {
      n = Math.max(n, isTitled ? end - 1 : n);
      continue;
    }
    const heads = isIntroduction || (isTitle(plain, language) && !language.documents.opensItem(plain));
    const before = lines.slice(done, n);
    const opening = heads ? line : `${line}:`;
    out.push(
      ...(isIntroduction
        ? paragraphOf([...before, opening])
        : [...paragraphOf(before), ...paragraphOf([opening])]),
      listOf(items),
    );
    done = end;
    n = end - 1;
  }
  return out.length ? [...out, ...paragraphOf(lines.slice(done))] : null;
}

const paragraphOf = (lines: readonly string[]): Block[] =>
  lines.length ? [{ type: 'paragraph', text: lines.join('\n') }] : [];

const listOf = (lines: readonly string[]): Block => ({
  type: 'list',
  start: null,
  items: lines.map((text) => ({ text, below: [] })),
});

/** Several, and not the labelled lines of a card. */
const areItems = (lines: readonly string[]) =>
  lines.length > 1 && lines.filter((line) => labelOf(line) !== null).length * 2 < lines.length;

/** A line that is no sentence, ignoring brackets at its end and letters with a stop ("U.K."). */
function isItem(line: string): boolean {
  const plain = unmarked(line).replace(/(?<!\s)\s*\([^()]*\)$/, '');
  const isSentence =
    /[.!?…:]["'”’)\]]*$|[.!?] \p{Lu}/u.test(plain) && !/(?<![\p{L}.])(?:\p{Lu}\.){2,}$/u.test(plain);
  return !isSentence && wordsIn(plain) <= LONGEST_ITEM;
}

const asksAbove = (text: string) => unmarked(text).includes('?');

const beginsSmall = (line: string | undefined) => line !== undefined && /^\p{Ll}/u.test(unmarked(line));

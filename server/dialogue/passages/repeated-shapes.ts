import type { LanguagePack } from '#server/languages/contract';
import type { Block } from './blocks.ts';
import { endsSentence, isBold, isTitle, labelOf, linesOf, SHORT_LINE, unmarked, wordsIn } from './lines.ts';
import { BOLD, END_BOLD } from './source.ts';

type Paragraph = Extract<Block, { type: 'paragraph' }>;

/**
 * Recognises blocks by the shape of their lines: addresses, records that each begin with a name, and titles with
 * figures among titles.
 */
export function withShapesRead(blocks: readonly Block[], language: LanguagePack): Block[] {
  return withAddressesWhole(blocks).flatMap((block, n, all): Block[] => {
    if (block.type !== 'paragraph') return [block];
    const isPlainTitle = linesOf(block.text).length === 1 && isTitle(unmarked(block.text), language);
    if (!isBold(block.text) && !isPlainTitle && isTitleAmongTitles(all, n))
      return [{ type: 'heading', level: SHORT_LINE, text: block.text }];
    return [recordsOf(linesOf(block.text)) ?? block];
  });
}

/** In words: longer lines are no names, and no lines of an address. */
const LONGEST_NAME = 8;
const LONGEST_ADDRESS_LINE = 6;

/** No address has more. */
const MOST_LINES = 6;

/** A postal code at the end of a line ("VT 05101", "K1A 0B1", "PL4 8AA"), or before the town. */
const POSTCODE =
  /(?:^|[\s,])(?:\p{Lu}{2,3}\s+\d{4,5}(?:-\d{4})?|\p{Lu}{1,2}\d[\p{Lu}\d]?\s+\d\p{Lu}{2}|\p{Lu}\d\p{Lu}\s?\d\p{Lu}\d)$/u;
const TOWN = /^\d{4,5}\s+\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)?$/u;
const STREET = /\d\s?\p{L}?$/u;

/** Joins the lines of an address, in one paragraph or in one each, after its name. */
function withAddressesWhole(blocks: readonly Block[]): Block[] {
  const out: Block[] = [];
  for (const block of blocks) {
    if (block.type !== 'paragraph') {
      out.push(block);
      continue;
    }
    const lines = linesOf(block.text);
    if (lines.length > 1) {
      const joined = addressesJoined(lines);
      const above = out.at(-1);
      const opens = above?.type === 'paragraph' && unmarked(above.text).endsWith(':');
      // "Write to:" above only an address is one sentence with it.
      if (opens && joined.length === 1)
        out[out.length - 1] = { ...above, text: `${above.text} ${joined[0]?.replace(': ', ', ')}` };
      else out.push({ ...block, text: joined.join('\n') });
    } else {
      const above: string[] = [];
      for (let n = out.length - 1; n >= 0 && above.length < MOST_LINES; n--) {
        const other = out[n];
        const only = other?.type === 'paragraph' ? linesOf(other.text) : [];
        if (only.length !== 1) break;
        above.unshift(only[0] ?? '');
      }
      const joined = addressesJoined([...above, block.text]);
      out.splice(out.length - above.length, above.length);
      out.push(...joined.map((text): Paragraph => ({ type: 'paragraph', text })));
    }
  }
  return out;
}

function addressesJoined(lines: readonly string[]): string[] {
  const out: string[] = [];
  for (const line of lines) {
    const last = unmarked(out.at(-1) ?? '');
    const plain = unmarked(line);
    const ends = POSTCODE.test(plain) || (TOWN.test(plain) && STREET.test(last));
    if (!ends || wordsIn(plain) > LONGEST_ADDRESS_LINE || !isOfAddress(last)) {
      out.push(line);
      continue;
    }
    const parts = [line];
    while (isOfAddress(unmarked(out.at(-1) ?? ''))) parts.unshift(out.pop() ?? '');
    const name = unmarked(out.at(-1) ?? '');
    const isNamed = /^\p{Lu}[^\d.!?:;,@]*$/u.test(name) && wordsIn(name) <= LONGEST_ADDRESS_LINE;
    out.push(`${isNamed ? `${out.pop()}: ` : ''}${parts.join(', ')}`);
  }
  return out;
}

/** A short line with a figure that is no sentence, label, telephone number or mail address. */
const isOfAddress = (plain: string) =>
  /\d/.test(plain) &&
  wordsIn(plain) <= LONGEST_ADDRESS_LINE &&
  labelOf(plain) === null &&
  !endsSentence(plain) &&
  !POSTCODE.test(plain) &&
  !/[@£$€]|\d{3}\D?\d{4}|\d[:.]\d/.test(plain);

/** Below each of several names, a line begins with the same word and has a figure: a list of those names. */
function recordsOf(lines: readonly string[]): Block | null {
  const opening = (line: string | undefined) =>
    line !== undefined && /\d/.test(line) && labelOf(line) === null
      ? (/^\p{Lu}\p{Ll}+(?=\s)/u.exec(unmarked(line))?.[0] ?? null)
      : null;
  const isName = (n: number) => {
    const plain = unmarked(lines[n] ?? '');
    return /^[\p{Lu}\d"“]/u.test(plain) && !endsSentence(plain) && wordsIn(plain) <= LONGEST_NAME;
  };
  const shared = opening(lines[1]);
  if (shared === null || opening(lines[0]) === shared) return null;
  const starts = lines.flatMap((_, n) =>
    opening(lines[n + 1]) === shared && opening(lines[n]) !== shared && isName(n) ? [n] : [],
  );
  const names = new Set(starts.map((n) => lines[n]));
  if (starts.length < 2 || starts[0] !== 0 || names.size < starts.length) return null;
  return {
    type: 'list',
    start: null,
    items: starts.map((from, n) => {
      const [name = '', ...facts] = lines.slice(from, starts[n + 1]).map(unmarked);
      const told = facts.map((fact) => (endsSentence(fact) ? fact : `${fact}.`)).join(' ');
      return { text: `${BOLD}${name}:${END_BOLD} ${told}`, below: [] };
    }),
  };
}

/** A line with a figure above prose, like the line before or after it. */
function isTitleAmongTitles(blocks: readonly Block[], at: number): boolean {
  const plainAt = (n: number) => {
    const block = blocks[n];
    return block?.type === 'paragraph' ? unmarked(block.text) : '';
  };
  const isProse = (n: number) => endsSentence(plainAt(n)) && !plainAt(n).endsWith('?');
  const isLine = (n: number) => {
    const plain = plainAt(n);
    return (
      /^[\p{Lu}\d]/u.test(plain) &&
      plain.length <= 60 &&
      wordsIn(plain) <= LONGEST_NAME &&
      !/[.!?…;:,]$|[@£$€%]|\d[:.]\d|\d{3}\D?\d{4}/.test(plain)
    );
  };
  if (!/\d/.test(plainAt(at)) || !isLine(at) || !isProse(at + 1)) return false;
  let before = at - 1;
  while (isProse(before)) before--;
  let after = at + 1;
  while (isProse(after)) after++;
  return (before < at - 1 && isLine(before)) || (isLine(after) && isProse(after + 1));
}

import type { LanguagePack } from '#server/languages/contract';
import { BOLD, BREAK, END_BOLD } from './source.ts';

/** The interpretation of a paragraph's lines. Levels are below those of markup, so that they end with its headings. */
export type Part =
  | { type: 'heading'; level: number; text: string; asks: boolean }
  | { type: 'prose'; text: string }
  /** Independent lines, as on a price card; short ones are told with `under`. */
  | { type: 'lines'; lines: string[]; under: string };

export const CAPITALS = 7;
export const BOLD_LINE = 8;
export const SHORT_LINE = 9;
export const QUESTION_LINE = 10;

/** In words: the longest heading that is told with the few words below it. */
export const SHORT_HEADING = 7;

interface Surroundings {
  /** The block after the paragraph; null at the end of its part. */
  next: 'paragraph' | 'list' | 'table' | 'heading' | null;
  /** The text of the next paragraph, if there is one. */
  nextText: string;
  /** The block after that, if it could be headed. */
  after: { opensBlock: boolean; text: string } | null;
  /** Whether this text writes its headings in capitals. */
  capitals: boolean;
  language: LanguagePack;
}

/** A text without the marks of bold and breaks. */
export const unmarked = (text: string) =>
  text
    .replace(new RegExp(`[${BOLD}${END_BOLD}]|\\*{2,}`, 'g'), '')
    .replace(new RegExp(`[\\s${BREAK}]+`, 'g'), ' ')
    .trim();

/** The lines of a paragraph with their marks; without empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split(new RegExp(`[\\n${BREAK}]`))
    .map((line) => line.trim())
    .filter((line) => unmarked(line));

/** Reads the lines of one paragraph with its marks. */
export function readLines(text: string, around: Surroundings): Part[] {
  const { questionMark, answerMark } = around.language.documents;
  const lines = linesOf(text);
  const named = pairOf(lines, around.language);
  if (named) return [{ type: 'lines', lines: [named], under: '' }];
  const parts: Part[] = [];
  let rest: string[] = [];
  const flush = (next: Surroundings['next'], nextText: string) => {
    const above = parts.at(-1);
    const under = above?.type === 'heading' && !above.asks ? above.text : '';
    if (rest.length) parts.push(...body(rest, { ...around, next, nextText }, under));
    rest = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const plain = unmarked(line);
    const following = lines[i + 1] ?? '';
    const next: Surroundings = following ? { ...around, next: 'paragraph', nextText: following } : around;
    const asked = questionMark.test(plain);
    if (asked) {
      flush('heading', '');
      const [question, answer, used] = questionAndAnswer(lines, i, around.language);
      parts.push({ type: 'heading', level: QUESTION_LINE, text: question, asks: true });
      if (answer) rest.push(answer);
      i += used;
      continue;
    }
    const pair = asksAndAnswers(line);
    if (pair && (asksAndAnswers(following) || (i > 0 && asksAndAnswers(lines[i - 1] ?? '')))) {
      flush('heading', '');
      parts.push({ type: 'heading', level: QUESTION_LINE, text: pair.question, asks: true });
      rest.push(pair.answer);
      continue;
    }
    const answer =
      answerMark.test(plain) && parts.at(-1)?.type === 'heading' ? plain.replace(answerMark, '') : null;
    if (answer !== null) {
      if (answer) rest.push(answer);
      continue;
    }
    const heading = headingOf(line, rest.length === 0, next, lines.length === 1 || i === lines.length - 1);
    if (heading) {
      flush('heading', '');
      parts.push(heading);
    } else if (rest.length && capitalLabel(plain) && capitalLabel(unmarked(rest[0] ?? ''))) {
      // Each line begins with its topic.
      flush('heading', '');
      rest.push(line);
    } else rest.push(line);
  }
  flush(around.next, around.nextText);
  return parts;
}

/** "Box office" above its number and nothing else: a label with its value; null for other lines. */
function pairOf(lines: readonly string[], language: LanguagePack): string | null {
  const [name = '', value = ''] = lines.map(unmarked);
  const isPair =
    lines.length === 2 &&
    isTitle(name, language) &&
    value.length <= 60 &&
    (/^[\d£$€(+@]|^[^\s@]+@[^\s@]+$/.test(value) || (isSpan(value) && !/^\p{Ll}|[.!?]\s/u.test(value)));
  return isPair ? `${name}: ${value}` : null;
}

/** The question of a "Q:" line, the answer on the same line, and the number of further lines used. */
function questionAndAnswer(
  lines: readonly string[],
  at: number,
  { documents: { questionMark, answerMark } }: LanguagePack,
): [string, string, number] {
  let question = unmarked(lines[at] ?? '').replace(questionMark, '');
  const inline = /^(.{3,300}?\?)\s+(?=\p{Lu}\p{L}{0,8}\s*[.:)])/u.exec(question);
  const answer = inline ? question.slice(inline[0].length) : '';
  if (inline?.[1] && answerMark.test(answer)) return [inline[1], answer.replace(answerMark, ''), 0];
  let used = 0;
  while (!/\?[^\w?]*$/.test(question) && used < 3) {
    const next = unmarked(lines[at + used + 1] ?? '');
    if (!next || answerMark.test(next) || questionMark.test(next)) break;
    question += ` ${next}`;
    used++;
  }
  return [question, '', used];
}

export const wordsIn = (text: string) => text.split(/\s+/).filter(Boolean).length;

/** "Towels? In the box by the door.": a question and its answer on the same line; null for other lines. */
function asksAndAnswers(line: string): { question: string; answer: string } | null {
  const [, question = '', answer = ''] = /^([^.!?]{3,150}\?)\s+(\S.*)$/.exec(unmarked(line)) ?? [];
  return answer ? { question, answer } : null;
}

export const isBold = (line: string) =>
  line.startsWith(BOLD) && new RegExp(`^${BOLD}[^${END_BOLD}]*${END_BOLD}[:.]?$`).test(line);
export const endsSentence = (text: string) => /[.!?…。！？]["'”’)\]]*$/.test(text);

/** A line all in capitals, ignoring brackets and decoration. */
export function isCapitals(plain: string): boolean {
  const bare = plain.replace(/\((?:[^()]|\([^()]*\))*\)/g, '').replace(/[*=#_~:–—-]+/g, ' ');
  const letters = bare.match(/\p{L}/gu) ?? [];
  return (
    letters.length >= 3 &&
    plain.length <= 70 &&
    !/\p{Ll}/u.test(bare) &&
    /\p{Lu}/u.test(bare) &&
    !/[.!?;,]$/.test(plain.trim())
  );
}

/** The heading of a line; null if it is none. `first`: only headings precede it in its paragraph. */
function headingOf(line: string, first: boolean, next: Surroundings, last: boolean): Part | null {
  if (next.next === null || next.next === 'heading') return null;
  const plain = unmarked(line);
  const following = unmarked(next.nextText);
  const opensBlock = next.next === 'list' || next.next === 'table';
  const heading = (level: number): Part => ({
    type: 'heading',
    // A question is under the headings around it.
    level: asks(plain) ? QUESTION_LINE : level,
    text: headingText(plain, next.language),
    asks: asks(plain),
  });
  if (isCapitals(plain) && (first || !last))
    return isCapitals(following) ? null : heading(next.capitals ? CAPITALS : SHORT_LINE);
  // A line with a final colon introduces a list or a table; it is no heading.
  if (plain.endsWith(':') && opensBlock) return null;
  if (isBold(line))
    return asks(plain) || (!/[.!;,]$/.test(plain) && wordsIn(plain) <= 14) ? heading(BOLD_LINE) : null;
  // A title at the end of a paragraph names the dates or the number below it.
  if (!first)
    return last &&
      isTitle(plain, next.language) &&
      linesOf(next.nextText).length === 1 &&
      isValue(following) &&
      !following.endsWith(':')
      ? heading(SHORT_LINE)
      : null;
  if (asks(plain) && plain.length <= 250 && next.language.splitSentences(plain).every(asks))
    return asks(following) && !next.nextText.includes('\n') ? null : heading(SHORT_LINE);
  // In a text of cards a title-like first line heads the table or list beneath it.
  if (
    next.capitals &&
    opensBlock &&
    /^\p{Lu}{3,}\b/u.test(plain) &&
    plain.length <= 80 &&
    !endsSentence(plain)
  )
    return heading(CAPITALS);
  const mayEndSmall = opensBlock
    ? !next.language.documents.opensItem(plain)
    : following.length > plain.length * LONGER && /^[^\p{Ll}]/u.test(following);
  if (!isTitle(plain, next.language, mayEndSmall)) return null;
  if (isUnderTitle(following, opensBlock, last)) return heading(SHORT_LINE);
  if (!last) return null;
  const { after } = next;
  // "Times and fares" above "Fares" above a table heads both.
  const headsTitle =
    after !== null &&
    isTitle(following, next.language) &&
    (isNamed(after.text, next.language) || isUnderTitle(unmarked(after.text), after.opensBlock, true));
  return headsTitle || isNamed(next.nextText, next.language) ? heading(SHORT_LINE) : null;
}

/** A number, a labelled one, a few short lines: content below its name. */
function isNamed(paragraph: string, language: LanguagePack): boolean {
  const lines = paragraph.split('\n');
  if (lines.length === 1) return isValue(unmarked(paragraph));
  return lines.length > 2 || isValue(unmarked(lines[0] ?? '')) || pairOf(lines, language) !== null;
}

/** A line longer than the one above by this much was not wrapped. */
const LONGER = 2;

/**
 * A short capitalised line without figures and without the marks of a sentence.
 * @param mayEndSmall whether it may end in a word that needs a continuation ("Where we are")
 */
export function isTitle(line: string, { documents }: LanguagePack, mayEndSmall = false): boolean {
  // "Autumn 2031" names a season of that year.
  const plain = line.replace(/ (?:19|20)\d{2}$/, '');
  return (
    plain.length <= 60 &&
    wordsIn(plain) <= 7 &&
    (mayEndSmall || !documents.isUnfinished(plain)) &&
    !isSpan(plain) &&
    /^(?:\d{1,2}(?:\.\d{1,2})*[.)]?\s+)?[\p{Lu}\p{Lo}"“¿]/u.test(plain) &&
    !/[.!?…;,|]$|^\S*\s.*\d{2}|^\d{3,}|^\p{L}+\d{3,}$|:.|[@£$€]|\.{3}|\d\s*[–-]\s*\d/u.test(plain)
  );
}

/** A title is followed by prose, labelled lines, a list or a table; a line among short lines is one of them. */
const isUnderTitle = (following: string, opensBlock: boolean, alone: boolean) =>
  opensBlock ||
  (!alone && asksAndAnswers(following) !== null) ||
  following.length > 60 ||
  labelOf(following) !== null ||
  (alone && (endsSentence(following) || (following.endsWith(':') && /[.!?] /.test(following))));

/** A number, an amount, an address of mail, a span of days: content below its name. */
const isValue = (text: string) => /^[\d£$€(+@]|\S@\S|^\p{L}{1,4}\d{3,}$/u.test(text) || isSpan(text);
const isSpan = (text: string) => text.length <= 60 && (text.match(/\d+/g) ?? []).length > 1;

export const asks = (text: string) => /\?["'”’)*\s.]*$/.test(text);

/** A heading without its number, question mark, decoration, colon and enclosing quotation marks. */
export function headingText(text: string, { documents }: LanguagePack): string {
  const plain = unmarked(text)
    .replace(/(?<![*=#_~\s–—-])[*=#_~\s–—-]+$/, '')
    .replace(/^[*=#_~\s–—-]+/, '')
    .replace(/^(?:\d{1,3}(?:\.\d{1,3})*[.)]|\d{1,3}(?:\.\d{1,3})+|[IVX]{1,5}\.)\s+(?=\S)/, '')
    .replace(documents.questionMark, '')
    .replace(/(?<!\s)\s*:$/, '')
    .replace(/^(["“„])([^"“”„]+)["“”]$/, '$2')
    .trim();
  return plain || unmarked(text);
}

/** The lines that are no headings: wrapped prose, or independent lines. */
function body(lines: readonly string[], around: Surroundings, under: string): Part[] {
  const joined = unwrapped(lines, around.language);
  const [first = ''] = joined;
  const last = unmarked(joined.at(-1) ?? '');
  const introduces = last.endsWith(':') && (around.next === 'list' || around.next === 'table');
  if (introduces) {
    const before = lines.length > 1 ? body(joined.slice(0, -1), { ...around, next: null }, under) : [];
    return [...(joined.length > 1 ? before : []), { type: 'prose', text: last }];
  }
  if (joined.length === 1 && !around.capitals) return [{ type: 'prose', text: first }];
  const fragments = joined.filter((line) => !endsSentence(unmarked(line)) || labelOf(line) !== null).length;
  const short = joined.filter((line) => wordsIn(unmarked(line)) <= 12).length;
  const isProse = !around.capitals && fragments * 2 < joined.length && short * 2 <= joined.length;
  if (isProse) return [{ type: 'prose', text: joined.join(' ') }];
  const label = around.capitals ? capitalLabel(unmarked(first)) : null;
  return [
    ...(label
      ? [
          {
            type: 'heading' as const,
            level: CAPITALS,
            text: headingText(label, around.language),
            asks: false,
          },
        ]
      : []),
    { type: 'lines', lines: joined, under: label ? '' : under },
  ];
}

/** Words in capitals that begin a line and name its topic: "SHOP 8.30–10", "WE DON'T TAKE paint". */
function capitalLabel(plain: string): string | null {
  const found =
    /^\p{Lu}[\p{Lu}'’/+.-]*(?:\s+[\p{Lu}&/+–-][\p{Lu}'’/+.-]*)*(?=[\s,])/u.exec(plain.slice(0, 80))?.[0] ??
    '';
  // Continued shouting is no label: "RATES MAY CHANGE!", "NOT TAKEN: glass".
  if (/^\s+\p{Lu}{2}/u.test(plain.slice(found.length))) return null;
  const label = found.replace(/(?<![\s&/+–.-])[\s&/+–.-]+$/, '');
  return (label.match(/\p{Lu}/gu) ?? []).length >= 3 && label.length <= 40 ? label : null;
}

/** Share of the widest line: a shorter line was not wrapped. */
const RAGGED = 0.75;

/** Whether the first word of a line did not fit on the one above. */
const hadNoRoom = (above: string, line: string, width: number) =>
  above.length + 1 + (line.split(/\s/)[0] ?? '').length > width * RAGGED;

/** Whether lines in lower case continue the ones above, since the text was wrapped or broken at its links. */
export function isBrokenForWidth(lines: readonly string[]): boolean {
  const plain = lines.map(unmarked);
  const width = Math.max(0, ...plain.map((line) => line.length));
  const goesOn = (n: number) => n > 0 && /^\(?\p{Ll}/u.test(plain[n] ?? '');
  let small = 0;
  let broken = 0;
  for (let n = 1; n < plain.length; n++) {
    if (!goesOn(n)) continue;
    let end = n;
    while (goesOn(end + 1) && !endsSentence(plain[end] ?? '')) end++;
    // Lines of which only the last ends a sentence are one sentence.
    const isSentence = end > n && endsSentence(plain[end] ?? '');
    for (let at = n; at <= end; at++) {
      small++;
      if (isSentence || hadNoRoom(plain[at - 1] ?? '', plain[at] ?? '', width)) broken++;
    }
    n = end;
  }
  return broken * 2 >= small;
}

/** Wrapped lines, joined again. */
function unwrapped(lines: readonly string[], { documents }: LanguagePack): string[] {
  // "12 May" ends in a name, not in a small word.
  const endsInDate = (text: string) => {
    const [before = '', last = ''] = text.split(/\s/).slice(-2);
    return /\d/.test(before) && /^\p{Lu}\p{Ll}*$/u.test(last);
  };
  const isUnfinished = (text: string) => documents.isUnfinished(text) && !endsInDate(text);
  const whole: string[][] = [];
  let before = '';
  const isWrapped = isBrokenForWidth(lines);
  for (const line of lines) {
    const plain = unmarked(line);
    const goesOn =
      before !== '' &&
      !before.endsWith(':') &&
      (labelOf(line) === null || isUnfinished(before)) &&
      (isUnfinished(before) ||
        (isWrapped && /^\(?\p{Ll}/u.test(plain)) ||
        (before.length > 58 && before.length < 200 && !/[.!?;]["'”’)\]]*$/.test(before)));
    const last = whole.at(-1);
    if (goesOn && last && last.length < MAX_WRAPPED && !(last.length === 1 && isBold(last[0] ?? '')))
      last.push(line);
    else whole.push([line]);
    before = plain;
  }
  return whole.map((parts) => parts.join(' '));
}

/** No wrapped paragraph has more lines. */
const MAX_WRAPPED = 200;

/** "Deposit: £20", "**Note:** …", "Cancelling – pods: …": the label, without its colon. */
export function labelOf(line: string): string | null {
  const bold = new RegExp(
    `^${BOLD}([^${END_BOLD}]{1,80}?)(?::${END_BOLD}|${END_BOLD}\\s*:|${END_BOLD}\\s+[–—-])\\s*\\S`,
  ).exec(line)?.[1];
  if (bold) return unmarked(bold);
  const plain = unmarked(line);
  const label = /^(["'“(]?[\p{L}\p{N}][^.!?:;]{0,48}):\s+\S/u.exec(plain)?.[1];
  return label && wordsIn(label) <= 7 ? label : null;
}

import { splitSentences } from '../words/sentences.ts';
import { plain } from '../words/tokens.ts';

/** The smallest piece of knowledge that can be quoted: a sentence, a list item or a table row. */
export interface Unit {
  id: number;
  /** As the business wrote it, mark-up taken off; a table row is told with its column names. */
  text: string;
  kind: 'sentence' | 'item' | 'row';
  /** Units of one paragraph, list or table share a block. */
  block: number;
  /** Headings above it, widest first. */
  headings: readonly string[];
  /** The question it stands under: a "Q:" line or a heading that asks. */
  question: string | null;
  /** What introduces its list or table. */
  leadIn: string;
  /** For a row: its cells by column name. */
  cells?: readonly { column: string; value: string }[];
  origin: 'information' | 'prompt';
}

export interface Block {
  id: number;
  kind: 'paragraph' | 'list' | 'table';
  units: number[];
  /** The unit that introduces a list, when there is one. */
  leadInUnit: number | null;
  section: number;
}

export interface ParsedKnowledge {
  units: Unit[];
  blocks: Block[];
}

const bullet = /^(\s*)(?:[-*+•–‣▪◦·]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(?=\S)/;
const tableRow = /^\s*\|.*\|\s*$/;
const tableRule = /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/;
const asks = /^(?:\*\*|__)?\s*(?:\d+[.)]\s*)?(?:Q(?:uestion)?\s*\d*\s*[:.)-]\s*)(.+)$/i;
const answers = /^(?:\*\*|__)?\s*A(?:nswer)?\s*\d*\s*[:.)](?:\*\*|__)?\s*(.*)$/;

/**
 * Reads what a business pasted: markdown, questions with answers, lists, tables or plain paragraphs.
 * Never fails; unknown mark-up is read as prose.
 */
export function parseKnowledge(information: string, prompts: readonly string[]): ParsedKnowledge {
  const reader = new Reader();
  reader.read(information, 'information');
  for (const prompt of prompts) reader.read(prompt, 'prompt');
  return { units: reader.units, blocks: reader.blocks };
}

class Reader {
  readonly units: Unit[] = [];
  readonly blocks: Block[] = [];
  private headings: { level: number; text: string }[] = [];
  private question: string | null = null;
  private section = 0;
  private origin: Unit['origin'] = 'information';
  private lastUnit: number | null = null;

  read(text: string, origin: Unit['origin']): void {
    this.origin = origin;
    this.headings = [];
    this.startSection();
    const lines = plain(text)
      .replace(/\r\n?/g, '\n')
      .replace(/<br\s*\/?>/gi, '\n')
      .replace(/<\/?[a-z][^>\n]{0,200}>/gi, ' ')
      .split('\n')
      .flatMap(inBearableLengths);
    let i = 0;
    // Whatever a line is taken for, the next one comes next.
    while (i < lines.length) i = Math.max(i + 1, this.readBlock(lines, i));
  }

  private startSection() {
    this.section++;
    this.question = null;
    this.lastUnit = null;
  }

  /** Reads what begins at this line; answers the first line after it. */
  private readBlock(lines: readonly string[], at: number): number {
    const line = lines[at] ?? '';
    const next = lines[at + 1] ?? '';
    if (!line.trim() || /^\s*([-*_=]\s*){3,}$/.test(line)) return at + 1;

    const heading = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*$/.exec(line);
    if (heading?.[1] && heading[2]) return this.openHeading(heading[1].length, heading[2], at + 1);
    if (
      /^\s*(=+|-+)\s*$/.test(next) &&
      next.trim().length >= 3 &&
      line.trim().length < 100 &&
      !bullet.test(line)
    )
      return this.openHeading(next.includes('=') ? 1 : 2, line, at + 2);

    const asked = asks.exec(line.trim());
    if (asked?.[1]) return this.openQuestion(asked[1], lines, at + 1);

    if (line.includes('|') && (tableRow.test(line) || tableRule.test(next)) && tableRule.test(next))
      return this.readTable(lines, at);
    if (line.includes('\t') && next.includes('\t')) return this.readTabTable(lines, at);

    if (this.looksLikeHeading(line, lines, at)) return this.openHeading(7, line, at + 1);
    if (bullet.test(line)) return this.readList(lines, at);
    return this.readParagraph(lines, at);
  }

  private openHeading(level: number, raw: string, next: number): number {
    const text = clean(raw)
      .replace(/:$/, '')
      .replace(/^(\d+(\.\d+)*[.)]?|[IVX]+\.)\s+/, '');
    this.headings = [...this.headings.filter((h) => h.level < level), { level, text }];
    this.startSection();
    const asked = /^Q\d*[:.)]\s*(.+)$/i.exec(text)?.[1] ?? text;
    if (asked.endsWith('?')) this.question = asked;
    return next;
  }

  /** A "Q:" line; the lines up to the answer belong to the question. */
  private openQuestion(first: string, lines: readonly string[], at: number): number {
    this.startSection();
    let question = first;
    let i = at;
    const inline = /^(.*?\?)\s*(?:\*\*|__)?\s*A(?:nswer)?\s*[:.)]\s*(.+)$/.exec(first);
    if (inline?.[1] && inline[2]) {
      this.question = clean(inline[1]);
      this.addSentences(inline[2]);
      return i;
    }
    while (
      !question
        .trim()
        .replace(/[*_]+$/, '')
        .endsWith('?') &&
      (lines[i] ?? '').trim() &&
      !answers.test((lines[i] ?? '').trim()) &&
      i < at + 3
    )
      question += ` ${lines[i++]}`;
    this.question = clean(question);
    return i;
  }

  private looksLikeHeading(line: string, lines: readonly string[], at: number): boolean {
    const text = line.trim();
    if (text.length > 90 || text.includes('|')) return false;
    const bold = /^(\*\*|__)(.+?)\1:?$/.exec(text)?.[2];
    const body = bold ?? text;
    const following = lines.slice(at + 1, at + 5).find((l) => l.trim()) ?? '';
    if (!following) return false;
    if (bold) return !/[.!]$/.test(bold) || bold.endsWith('?');
    if (bullet.test(line)) {
      // "3. Returns" opens a section when prose follows, not another item.
      return (
        /^\s*\d+[.)]\s+[A-Z][^.!?:]{2,60}$/.test(line) &&
        !(lines[at + 1] ?? '').trim() &&
        !/^\s*\d+[.)]\s/.test(following)
      );
    }
    const blankBefore = !(lines[at - 1] ?? '').trim();
    if (!blankBefore) return false;
    if (body.endsWith('?') && body.length < 90 && splitSentences(body).length === 1) return true;
    if (/^[A-Z0-9][A-Z0-9 &/'(),–—.-]{3,}:?$/.test(body) && /[A-Z]{3}/.test(body)) return true;
    const words = body.split(/\s+/).length;
    const blankAfter = !(lines[at + 1] ?? '').trim();
    if (/[.!?;,]$/.test(body) || words > 8) return false;
    if (body.endsWith(':')) return words <= 5 && !blankAfter && !bullet.test(lines[at + 1] ?? '');
    return (
      /^[A-Z]/.test(body) &&
      !/\d{2,}|:\s/.test(body) &&
      (blankAfter || !bullet.test(following)) &&
      words <= 6 &&
      startsBody(following)
    );
  }

  private readParagraph(lines: readonly string[], at: number): number {
    const chunk: string[] = [];
    let i = at;
    for (; i < lines.length; i++) {
      const line = lines[i] ?? '';
      if (!line.trim() || /^\s{0,3}#{1,6}\s/.test(line)) break;
      if (i > at && (bullet.test(line) || asks.test(line.trim()) || tableRow.test(line))) break;
      chunk.push(line.trim().replace(/^>\s?/, ''));
    }
    // Lines broken for width are one text; lines that stand for themselves are items.
    const texts: string[] = [];
    for (const [n, raw] of chunk.entries()) {
      const line = n === 0 || answers.test(raw) ? raw.replace(answers, '$1') : raw;
      const previous = texts.at(-1);
      const wrapped =
        previous !== undefined &&
        !/[.!?:]["')*_]*$/.test(previous) &&
        ((chunk[n - 1] ?? '').length > 58 || /^[a-z(]/.test(line)) &&
        !/^[A-Z][\w &/-]{1,30}:\s/.test(line);
      if (wrapped && previous.length + line.length < MAX_LINE)
        texts[texts.length - 1] = `${previous} ${line}`;
      else if (line) texts.push(line);
    }
    const standAlone =
      texts.length > 1 &&
      texts.filter((t) => /^[^.!?]{1,40}:\s\S/.test(t) || !/[.!?]$/.test(t)).length > texts.length / 2;
    if (standAlone) {
      const block = this.openBlock('list');
      for (const text of texts) this.addUnit(block, clean(text), 'item', this.leadInOf(block));
    } else for (const part of joinedUpTo(MAX_LINE, texts)) this.addSentences(part);
    return i;
  }

  private addSentences(text: string) {
    const block = this.openBlock('paragraph');
    const sentences = splitSentences(clean(text));
    for (let n = 0; n < sentences.length; n++) {
      let sentence = sentences[n] ?? '';
      // "Yes." says nothing without what follows.
      if (
        /^(?:yes|no|sure|certainly|absolutely|of course|unfortunately not)[.!]$/i.test(sentence) &&
        n + 1 < sentences.length
      )
        sentence += ` ${sentences[++n]}`;
      this.addUnit(block, sentence, 'sentence', '');
    }
  }

  private readList(lines: readonly string[], at: number): number {
    const block = this.openBlock('list');
    const introduction = this.lastUnit === null ? null : (this.units[this.lastUnit] ?? null);
    if (introduction && /:\s*$/.test(introduction.text)) block.leadInUnit = introduction.id;
    const leadIn = block.leadInUnit === null ? '' : (introduction?.text ?? '');
    const parents: { indent: number; text: string }[] = [];
    let i = at;
    while (i < lines.length) {
      const line = lines[i] ?? '';
      const match = bullet.exec(line);
      if (!match) {
        if (line.trim()) break;
        // One blank line inside a list is loose markdown, if another item follows.
        if (bullet.test(lines[i + 1] ?? '') && !asks.test((lines[i + 1] ?? '').trim())) {
          i++;
          continue;
        }
        break;
      }
      const indent = (match[1] ?? '').length;
      let text = line.slice(match[0].length);
      i++;
      while (
        i < lines.length &&
        (lines[i] ?? '').trim() &&
        !bullet.test(lines[i] ?? '') &&
        /^\s{2,}\S/.test(lines[i] ?? '') &&
        !tableRow.test(lines[i] ?? '')
      )
        text += ` ${(lines[i++] ?? '').trim()}`;
      while (parents.length && (parents.at(-1)?.indent ?? 0) >= indent) parents.pop();
      const above = parents.map((p) => p.text).join(' ');
      const asked = asks.exec(text);
      const cleaned = clean(asked?.[1] ?? text);
      if (asked || (cleaned.endsWith('?') && /^\s{2,}\S/.test(lines[i] ?? ''))) {
        this.question = cleaned;
        continue;
      }
      const sentences = splitSentences(cleaned);
      const label = /^([^.!?:]{2,60}):\s+\S/.exec(cleaned)?.[1];
      for (const [n, sentence] of sentences.entries())
        this.addUnit(
          block,
          sentence,
          'item',
          [leadIn, above, n > 0 ? (label ?? sentences[0] ?? '') : ''].filter(Boolean).join(' '),
        );
      parents.push({ indent, text: cleaned });
    }
    return i;
  }

  private readTable(lines: readonly string[], at: number): number {
    const cellsOf = (line: string) =>
      line
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|')
        .map((cell) => clean(cell));
    const columns = cellsOf(lines[at] ?? '');
    const rows: string[][] = [];
    let i = at + 2;
    for (; i < lines.length && (lines[i] ?? '').includes('|'); i++) rows.push(cellsOf(lines[i] ?? ''));
    this.addRows(columns, rows);
    return i;
  }

  private readTabTable(lines: readonly string[], at: number): number {
    const rows: string[][] = [];
    let i = at;
    for (; i < lines.length && (lines[i] ?? '').includes('\t'); i++)
      rows.push((lines[i] ?? '').split('\t').map((cell) => clean(cell)));
    const [columns, ...rest] = rows;
    if (columns) this.addRows(columns, rest);
    return i;
  }

  private addRows(columns: readonly string[], rows: readonly string[][]) {
    const block = this.openBlock('table');
    for (const row of rows) {
      const cells = row.map((value, n) => ({ column: columns[n] ?? '', value })).filter((cell) => cell.value);
      const text = tellRow(cells);
      if (!text) continue;
      const unit = this.addUnit(block, text, 'row', columns.join(' '));
      unit.cells = cells;
    }
  }

  private leadInOf(block: Block): string {
    return block.leadInUnit === null ? '' : (this.units[block.leadInUnit]?.text ?? '');
  }

  private openBlock(kind: Block['kind']): Block {
    const block: Block = { id: this.blocks.length, kind, units: [], leadInUnit: null, section: this.section };
    this.blocks.push(block);
    return block;
  }

  private addUnit(block: Block, text: string, kind: Unit['kind'], leadIn: string): Unit {
    const unit: Unit = {
      id: this.units.length,
      text,
      kind,
      block: block.id,
      headings: this.headings.map((h) => h.text),
      question: this.question,
      leadIn,
      origin: this.origin,
    };
    if (/[\p{L}\p{N}]/u.test(text)) {
      this.units.push(unit);
      block.units.push(unit.id);
      this.lastUnit = unit.id;
    }
    return unit;
  }
}

/** Longer lines are cut: the time of reading one grows with the square of its length at worst. */
const MAX_LINE = 4_000;

function inBearableLengths(line: string): string[] {
  if (line.length <= MAX_LINE) return [line];
  const parts: string[] = [];
  for (let rest = line; rest; ) {
    const end =
      rest.length > MAX_LINE ? Math.max(rest.lastIndexOf('. ', MAX_LINE) + 1, MAX_LINE / 2) : rest.length;
    parts.push(rest.slice(0, end), '');
    rest = rest.slice(end);
  }
  return parts;
}

function joinedUpTo(limit: number, texts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const text of texts) {
    const last = joined.at(-1);
    if (last !== undefined && last.length + text.length < limit)
      joined[joined.length - 1] = `${last} ${text}`;
    else joined.push(text);
  }
  return joined;
}

const startsBody = (line: string) =>
  line.trim().length > 25 || bullet.test(line) || tableRow.test(line) || /^[A-Z][\w ]+:/.test(line.trim());

/** A row as a person would read it out: the first cell names it, the others come with their column. */
export function tellRow(cells: readonly { column: string; value: string }[]): string {
  const [first, ...rest] = cells;
  if (!first) return '';
  if (rest.length === 0) return first.value;
  const told = rest
    .map(({ column, value }) => (column ? `${lowerFirst(column)} ${value}` : value))
    .join(', ');
  return `${first.value}: ${told}.`;
}

/** Names keep their capital: days and months, and what goes on with another capital or a hyphen ("Bronze Rewards", "Rho-Bank"). */
export const lowerFirst = (text: string) =>
  /^[A-Z][a-z]+(?![\w-])(?! [A-Z])/.test(text) &&
  !/^(?:I|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|June|July|August|September|October|November|December)\b/.test(
    text,
  )
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;

/** Takes markdown off a line. */
export function clean(text: string): string {
  return text
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]+)\]\(mailto:[^)]*\)/g, '$1')
    .replace(/\[([^\]]+)\]\((https?:\/\/)?([^)\s]+)[^)]*\)/g, (_, label: string, _scheme, url: string) =>
      label.includes('.') || url.startsWith('#') || url.startsWith('/') ? label : `${label} (${url})`,
    )
    .replace(/(\*\*|__)(?=\S)(.+?)\1/g, '$2')
    .replace(/(^|[\s(])[*_](?=\S)([^*_]+?)[*_](?=[\s).,;:!?]|$)/g, '$1$2')
    .replace(/`+([^`]+)`+/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+\-.!|])/g, '$1')
    .replace(/&amp;/g, '&')
    .replace(/&nbsp;/g, ' ')
    .replace(/(\*\*|__)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

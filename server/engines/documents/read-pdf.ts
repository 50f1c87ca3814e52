import type { Unpacked } from '#server/engines/unpacked';
import { BROKEN, TOO_LONG, Unreadable } from '#server/engines/unreadable';
import { MAX_DOCUMENT_CHARACTERS } from '#shared/documents';
import { openCountedPdf } from './counted-pdf.ts';
import { type Cell, type Line, laidOut, sizeOf, type Table, textOf } from './pdf-layout.ts';

const MAX_PAGES = 3_000;
/**
 * Relative to the surrounding text size: a line this much larger is a heading, a gap this much wider
 * separates paragraphs.
 */
const HEADING = 1.15;
const LARGE_HEADING = 1.5;
const GAP = 1.6;
const MAX_HEADING_CHARACTERS = 120;
/** A line at the edge of this many pages is a header or a footer. */
const REPEATED_PAGES = 3;
const REPEATED = 0.5;

/** In letter sizes: a wider gap in a line separates columns. */
const COLUMN_GAP = 1.2;

/**
 * Converts the text of a PDF to Markdown: paragraphs by the gaps between lines, headings by letter size,
 * tables and columns by position. Repeated headers and footers are left out.
 * @throws Unreadable
 */
export async function readPdf(
  bytes: Uint8Array,
  unpacked: Unpacked,
): Promise<{ title: string | null; text: string }> {
  const pdf = await open(bytes, unpacked);
  try {
    if (pdf.numPages > MAX_PAGES)
      throw new Unreadable('This PDF has more than 3,000 pages. Divide it into several files.');
    const pages: Line[][] = [];
    let characters = 0;
    for (let n = 1; n <= pdf.numPages; n++) {
      const page = await pdf.getPage(n);
      const { items } = await page.getTextContent();
      unpacked.check();
      const lines = linesOf(items.filter(isText));
      for (const line of lines) characters += textOf(line).length;
      // Up to half of it may be headers and footers, which are removed below.
      if (characters > 2 * MAX_DOCUMENT_CHARACTERS) throw new Unreadable(TOO_LONG);
      pages.push(lines);
      page.cleanup();
    }
    const text = asMarkdown(pages);
    if (!text)
      throw new Unreadable(
        'This PDF holds pictures of pages and no text, as a scanner makes them. Run it through text recognition (OCR) first.',
      );
    return { title: await titleOf(pdf), text };
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    unpacked.check();
    throw new Unreadable(BROKEN);
  } finally {
    await pdf.loadingTask.destroy().catch(() => {});
  }
}

async function open(bytes: Uint8Array, unpacked: Unpacked) {
  try {
    return await openCountedPdf(bytes, unpacked);
  } catch (error) {
    unpacked.check();
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new Unreadable(isLocked ? 'This PDF is protected by a password. Save it without one.' : BROKEN);
  }
}

async function titleOf(pdf: Awaited<ReturnType<typeof open>>): Promise<string | null> {
  const { info } = await pdf.getMetadata();
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : '';
  // Many programs write the file name into the title.
  return title && !/\.\w{2,5}$|^untitled|^microsoft word/i.test(title) ? title.slice(0, 200) : null;
}

interface TextItem {
  str: string;
  hasEOL: boolean;
  height: number;
  width: number;
  transform: unknown[];
}

/** Structure marks are among the items, too. */
const isText = <T extends object>(item: T): item is T & TextItem => 'str' in item;

function linesOf(items: readonly TextItem[]): Line[] {
  const lines: Line[] = [];
  let cells: Cell[] = [];
  let y = 0;
  const close = () => {
    const filled = withoutLoneBullets(
      cells.map((cell) => ({ ...cell, text: cell.text.replace(/\s+/g, ' ').trim() })),
    );
    if (filled.length) lines.push({ cells: filled, y });
    cells = [];
  };
  for (const { str, hasEOL, height, width, transform } of items) {
    const cell = cells.at(-1);
    if (str.trim()) {
      const x = Number(transform[4]) || 0;
      y = Number(transform[5]) || 0;
      const gap = cell ? x - cell.end : 0;
      if (!cell || gap > COLUMN_GAP * Math.max(height, cell.size))
        cells.push({ text: str, size: height, x, end: x + width });
      else {
        cell.text += str;
        cell.size = Math.max(cell.size, height);
        cell.end = Math.max(cell.end, x + width);
      }
    } else if (cell) cell.text += str;
    if (hasEOL) close();
  }
  close();
  return lines;
}

const opensItem = /^(?:[•●▪◦‣·–—*-]|\d{1,3}[.)]|[a-z][.)])\s/;

/** Joins a bullet or number to its text, however far apart they are: it is not a column. */
function withoutLoneBullets(cells: readonly Cell[]): Cell[] {
  const [mark, text, ...rest] = cells;
  return mark && text && opensItem.test(`${mark.text} `) && mark.text.length <= 4
    ? [{ ...text, text: `${mark.text} ${text.text}`, x: mark.x }, ...rest]
    : [...cells];
}

function asMarkdown(pages: readonly Line[][]): string {
  const usual = usualSize(pages.flat());
  const repeated = repeatedLines(pages);
  const out: string[] = [];
  let paragraph = '';
  const close = () => {
    if (paragraph) out.push(paragraph);
    paragraph = '';
  };
  for (const lines of pages) {
    const own = lines.filter(
      (line, at) => !(isEdge(at, lines) && repeated.has(withoutFigures(textOf(line)))),
    );
    let above: { size: number; y: number } | null = null;
    for (const line of laidOut(own)) {
      if (!('cells' in line)) {
        close();
        out.push(tableAsMarkdown(line));
        above = null;
        continue;
      }
      const [text, size, { y }] = [textOf(line), sizeOf(line), line];
      const isHeading =
        usual > 0 && size >= usual * HEADING && text.length <= MAX_HEADING_CHARACTERS && /\p{L}/u.test(text);
      const gap = above ? above.y - y : 0;
      if (isHeading) {
        close();
        const mark = size >= usual * LARGE_HEADING ? '#' : '##';
        const last = out.at(-1);
        // A heading may span two lines.
        if (above && last?.startsWith(`${mark} `) && above.size === size && gap < size * GAP)
          out[out.length - 1] = `${last} ${text}`;
        else out.push(`${mark} ${text}`);
      } else {
        if (above && (gap > Math.max(size, above.size) * GAP || gap < -size)) close();
        if (opensItem.test(text)) {
          close();
          paragraph = text.replace(/^[•●▪◦‣·–—*]\s/, '- ');
        } else paragraph = joined(paragraph, text);
      }
      above = { size, y };
    }
    // A sentence may continue on the next page.
    if (/[.!?:;]["'”’)]?$/.test(paragraph)) close();
  }
  close();
  return out.join('\n\n').trim();
}

function tableAsMarkdown({ heads, rows }: Table): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Joins words that were hyphenated at the end of a line. */
function joined(before: string, text: string): string {
  if (!before) return text.replace(/^(#{1,6}\s)/, '\\$1');
  return /\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(text) ? before.slice(0, -1) + text : `${before} ${text}`;
}

/** The size of most letters. */
function usualSize(lines: readonly Line[]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of lines.flatMap(({ cells }) => cells)) {
    const rounded = Math.round(size * 2) / 2;
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
  }
  return [...letters].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0];
}

const isEdge = (at: number, lines: readonly unknown[]) => at === 0 || at === lines.length - 1;
const withoutFigures = (text: string) => text.replace(/\d+/g, '#');

function repeatedLines(pages: readonly Line[][]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const lines of pages) {
    const edges = lines.filter((_, at) => isEdge(at, lines)).map((line) => withoutFigures(textOf(line)));
    for (const text of new Set(edges)) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const enough = Math.max(REPEATED_PAGES, pages.length * REPEATED);
  return new Set([...counts].filter(([, count]) => count >= enough).map(([text]) => text));
}

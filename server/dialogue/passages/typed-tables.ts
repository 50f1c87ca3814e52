import { areColumnsOfText } from '#server/lib/columns-of-text';

/** Attribute of a row with its indentation. */
export const INDENT = 'data-indent';

/** Lines of a text as Markdown, and the position after them. */
export interface Replaced {
  markdown: string[];
  next: number;
}

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

interface Cell {
  text: string;
  at: number;
}

interface Row {
  cells: Cell[];
  indent: number;
}

/** In lines: a table of contents is at the beginning. */
const CONTENTS_WITHIN = 300;

/** Longer cells name no column. */
const MOST_NAME = 40;

const bullet = /^\s*(?:[-*+•–‣▪◦·]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s/;

/** Lines typed in columns: as a table, or as text if they are page columns. Null if there are none. */
export function columns(lines: readonly string[], at: number): Replaced | null {
  const separated = separatedValues(lines, at);
  if (separated) return separated;
  const { rows, next } = rowsFrom(lines, at);
  const [first] = rows;
  if (first && rows.length === 1 && holdsSentences(first.cells))
    return { markdown: first.cells.flatMap(({ text }) => [escaped(text), '']), next };
  if (!first || (rows.length < 2 && !hasLeader(lines[at] ?? ''))) return null;
  if (areContents(rows, lines, next)) return { markdown: [], next };
  const page = columnsOfText(rows, lines, next);
  if (page) return page;
  const heads = headsOf(rows);
  const left = Math.min(...rows.map(({ indent }) => indent));
  // Without column names only a clear pair is told as one.
  const read = (row: Row) => ({
    cells: heads ? placed(row.cells, heads.cells) : row.cells.map(({ text }) => text),
    indent: row.indent - left,
  });
  return table(heads?.cells.map(({ text }) => text) ?? null, rows.slice(heads?.rows ?? 0).map(read), next);
}

/** The rows from a line on. A row whose cells all end in a colon is a head, so it ends those before it. */
function rowsFrom(lines: readonly string[], at: number): { rows: Row[]; next: number } {
  const rows: Row[] = [];
  let next = at;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? '';
    const cells = cellsOf(line);
    const width = rows[0]?.cells.length ?? 0;
    if (cells && width && (introduces(cells) || (cells.length !== width && holdsSentences(cells)))) break;
    if (cells) rows.push({ cells, indent: /\t/.test(line) ? 0 : line.search(/\S/) });
    else {
      const last = rows.at(-1)?.cells;
      const text = line.trim();
      if (!last || !goesOnLike(last.at(-1)?.text ?? '', text)) break;
      rows.push({
        cells: [
          { text: '', at: 0 },
          { text, at: last.at(-1)?.at ?? 0 },
        ],
        indent: 0,
      });
    }
  }
  return { rows, next };
}

const introduces = (cells: readonly Cell[]) =>
  cells.length > 1 && cells.every(({ text }) => text.endsWith(':'));

/** Remarks side by side are no label and value. */
const holdsSentences = (cells: readonly Cell[]) =>
  cells.filter(({ text }) => /[.!?]$/.test(text) && text.split(/\s+/).length > 3).length > 1;

/** "Medium £12" below "Small £12": the same kind of words before a figure. */
function goesOnLike(above: string, text: string): boolean {
  const shape = (each: string) =>
    each.replace(/\p{L}+(?:\s+\p{L}+)*/gu, 'a').replace(/\d+(?:[.,]\d+)*/g, '9');
  return /^\p{L}.*\d/u.test(text) && text.length <= MOST_NAME && shape(above) === shape(text);
}

/** The cells of a line typed in columns: with tabs, wide gaps or leader dots between them. */
function cellsOf(line: string): Cell[] | null {
  if (line.length > 400 || bullet.test(line) || /^\s*(?:[|<#>]|$)/.test(line)) return null;
  const cells: Cell[] = [];
  const gap = /\t+\s*|(?<!\s)\s*(?:\.{3,}|…{2,}|(?: \.){3,}|_{4,})\s*|(?<![.!?:;,\s])\s{2,}|\s{3,}/g;
  const body = line.trimEnd();
  const first = body.search(/\S/);
  let start = first;
  for (const match of body.slice(first).matchAll(gap)) {
    const at = match.index + first;
    if (at <= start) continue;
    cells.push({ text: body.slice(start, at).trim(), at: start });
    start = at + match[0].length;
  }
  if (start < body.length) cells.push({ text: body.slice(start).trim(), at: start });
  const filled = cells.filter(({ text }) => text);
  if (filled.length < 2) return null;
  // An empty spreadsheet cell keeps the place of the first one.
  return /^ *\t/.test(line) ? [{ text: '', at: 0 }, ...filled] : filled;
}

const hasLeader = (line: string) => /\S\s*(?:\.{4,}|…{2,}|(?: \.){3,})\s*\S/.test(line);

/** Titles with page numbers, most of which are headings further down. */
function areContents(rows: readonly Row[], lines: readonly string[], next: number): boolean {
  const pages = rows.map(({ cells }) =>
    /^\d{1,4}$/.test(cells[1]?.text ?? '') ? Number(cells[1]?.text) : -1,
  );
  const areOrdered = pages.every((page, n) => page >= 0 && page >= (pages[n - 1] ?? 0));
  const isPlain = next <= CONTENTS_WITHIN && rows.every(({ cells }) => cells.length === 2);
  if (rows.length < 3 || !isPlain || !areOrdered) return false;
  const plain = (text: string) =>
    text
      .replace(/^#+/, '')
      .trim()
      .replace(/^\d[\d.]*\s/, '')
      .trim()
      .toLowerCase();
  const titles = new Set(rows.map(({ cells }) => plain(cells[0]?.text ?? '')));
  const found = new Set(
    lines
      .slice(next)
      .map(plain)
      .filter((line) => titles.has(line)),
  );
  return found.size * 2 > titles.size;
}

/** Columns of a page, each read to its end before the next. Text only below the longest one continues it. */
function columnsOfText(rows: readonly Row[], lines: readonly string[], next: number): Replaced | null {
  const width = rows[0]?.cells.length ?? 0;
  const texts = rows.map(({ cells }) => cells.map(({ text }) => text));
  if (rows.length < 3 || texts.some((row) => row.length !== width) || !areColumnsOfText(texts)) return null;
  const starts = rows[0]?.cells.map(({ at }) => at) ?? [];
  const read = starts.map((_, n) => texts.map((row) => row[n] ?? ''));
  let end = next;
  for (let line = lines[end] ?? ''; line.trim() && !bullet.test(line); line = lines[++end] ?? '') {
    const from = line.search(/\S/);
    const column = starts.findLastIndex((start) => start <= from + 1);
    const limit = starts[column + 1] ?? Number.POSITIVE_INFINITY;
    if (column < 0 || line.trimEnd().length > limit) break;
    read[column]?.push(line.trim());
  }
  return { markdown: read.flatMap((column) => [...column.map(escaped), '']), next: end };
}

/** The names of columns, and the number of rows they take. */
function headsOf(rows: readonly Row[]): { cells: Cell[]; rows: number } | null {
  const [first, second] = rows;
  if (!first || !second) return null;
  const body = rows.slice(1);
  if (introduces(first.cells))
    return { cells: first.cells.map(({ text, at }) => ({ text: text.slice(0, -1).trim(), at })), rows: 1 };
  const left = Math.min(...rows.map(({ indent }) => indent));
  const isDeep =
    first.indent >= Math.min(...body.map(({ cells }) => cells[1]?.at ?? 0)) - 6 && first.indent > left + 4;
  const textsOf = ({ cells }: Row) => cells.map(({ text }) => text);
  const names = textsOf(first);
  if (rows.length > 2 && namesColumns(names) && headsColumns(textsOf(second), rows.slice(2).map(textsOf))) {
    const storeyed = spread(first.cells, second.cells, isDeep);
    if (storeyed) return { cells: storeyed, rows: 2 };
  }
  if (isDeep) return { cells: [{ text: '', at: left }, ...first.cells], rows: 1 };
  return headsColumns(names, body.map(textsOf)) ? { cells: first.cells, rows: 1 } : null;
}

/** Heads of two levels: each of the upper ones heads equally many below; null if they do not divide evenly. */
function spread(upper: readonly Cell[], lower: readonly Cell[], isDeep: boolean): Cell[] | null {
  const groups = upper.filter(({ text }) => text);
  const isLabelled = !isDeep && lower[0]?.text !== '' && lower.length % groups.length !== 0;
  const [label, under] =
    isLabelled || lower[0]?.text === '' ? [lower.slice(0, 1), lower.slice(1)] : [[], lower];
  const each = under.length / groups.length;
  if (groups.length < 2 || each < 2 || !Number.isInteger(each)) return null;
  const named = under.map(({ text, at }, n) => ({
    text: `${groups[Math.floor(n / each)]?.text}, ${text}`,
    at,
  }));
  return [...(label.length ? label : [{ text: '', at: 0 }]), ...named];
}

/** A row's cells under their heads. */
function placed(cells: readonly Cell[], heads: readonly Cell[]): string[] {
  if (cells.length === heads.length) return cells.map(({ text }) => text);
  const row = heads.map(() => '');
  for (const [n, { text, at }] of cells.entries()) {
    let best = 0;
    for (const [h, head] of heads.entries())
      if (Math.abs(head.at - at) < Math.abs((heads[best]?.at ?? 0) - at)) best = h;
    const column = n === 0 ? 0 : Math.max(best, Math.min(1, heads.length - 1));
    row[column] = row[column] ? `${row[column]} ${text}` : text;
  }
  return row;
}

/** Names have figures only in brackets: "Senior (65+)". */
const namesColumns = (cells: readonly string[]) =>
  cells.every((cell) => {
    const bare = cell.replace(/\([^()]*\)/g, '');
    return cell === '' || (!/\d/.test(bare) && cell.length <= MOST_NAME && /\p{L}/u.test(bare));
  });

/** Whether a first row names the columns: it has no figures where the others have them. */
function headsColumns(first: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const figures = rows.filter((row) => row.slice(1).some((cell) => /\d/.test(cell))).length;
  return (namesColumns(first) && figures * 2 > rows.length) || headsAmounts(first, rows);
}

/** Words above columns of amounts, with figures or without: "Evenings 6–10" above "$95". */
function headsAmounts(first: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const isWords = (cell: string) => /^\p{L}/u.test(cell) && cell.length <= MOST_NAME && !AMOUNT.test(cell);
  return (
    rows.length > 1 &&
    first.length > 1 &&
    first
      .slice(1)
      .every(
        (name, n) =>
          isWords(name) && rows.filter((row) => AMOUNT.test(row[n + 1] ?? '')).length * 2 > rows.length,
      )
  );
}

const AMOUNT = /^[~<>+]?\s?[£$€¥]\s?\d|^\d[\d.,]*\s?[£$€¥]/;

/** Lines with the same number of commas, semicolons or bars. */
function separatedValues(lines: readonly string[], at: number): Replaced | null {
  for (const mark of ['|', ';', ',']) {
    // A bar before the first name leaves the first column unnamed, if the rows below have one more cell.
    const opening = lines[at] ?? '';
    const isUnnamed =
      mark === '|' &&
      /^\s*\|/.test(opening) &&
      valuesOf(lines[at + 1] ?? '', mark).length === valuesOf(opening, mark).length + 1;
    const valuesAt = (n: number) => [
      ...(isUnnamed && n === at ? [''] : []),
      ...valuesOf(lines[n] ?? '', mark),
    ];
    const width = valuesAt(at).length;
    if (width < (mark === '|' ? 2 : 3)) continue;
    const rows: string[][] = [];
    let next = at;
    for (; next < lines.length; next++) {
      const line = lines[next] ?? '';
      const values = valuesAt(next);
      if (
        values.length !== width ||
        line.length > 400 ||
        bullet.test(line) ||
        (mark !== '|' && /[.!?]\s*$/.test(line))
      )
        break;
      if (mark === ',' && /,\s/.test(line.replace(/"[^"]*"/g, ''))) break;
      if (values.some((value) => value.length > (mark === '|' ? 200 : 80))) break;
      rows.push(values);
    }
    if (rows.length < (mark === '|' ? 2 : 3)) continue;
    const [first = [], ...rest] = rows;
    const named = first.every((cell) => !/\d/.test(cell)) || headsAmounts(first, rest);
    return table(
      named ? first : null,
      (named ? rest : rows).map((cells) => ({ cells, indent: 0 })),
      next,
    );
  }
  return null;
}

const valuesOf = (line: string, mark: string): string[] =>
  line.includes(mark)
    ? (
        line
          .trim()
          .replace(mark === '|' ? /^\||\|$/g : /$^/, '')
          .match(
            mark === '|'
              ? /[^|]+|(?<=\|)(?=\|)/g
              : new RegExp(`"(?:[^"]|"")*"|[^${mark}]+|(?<=${mark})(?=${mark}|$)`, 'g'),
          ) ?? []
      ).map((value) => value.trim().replace(/^"(.*)"$/, '$1'))
    : [];

function table(
  heads: readonly string[] | null,
  rows: readonly { cells: readonly string[]; indent: number }[],
  next: number,
): Replaced {
  const cells = (tag: string, values: readonly string[]) =>
    values.map((value) => `<${tag}>${escaped(value)}</${tag}>`).join('');
  return {
    markdown: [
      '<table>',
      ...(heads ? [`<tr>${cells('th', heads)}</tr>`] : []),
      ...rows.map((row) => `<tr ${INDENT}="${row.indent}">${cells('td', row.cells)}</tr>`),
      '</table>',
    ],
    next,
  };
}

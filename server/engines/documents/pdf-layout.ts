import { areColumnsOfText } from '#server/lib/columns-of-text';

/** Text in one place of a line, separated from its neighbours by more than a space between words. */
export interface Cell {
  text: string;
  /** Size of its letters, in points. */
  size: number;
  /** Distance from the left edge of the page, in points. */
  x: number;
  end: number;
}

export interface Line {
  /** From left to right. */
  cells: readonly Cell[];
  /** Distance from the bottom of the page, in points. */
  y: number;
}

/** Rows with column heads; heads are empty if the columns are unnamed. */
export interface Table {
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}

export const textOf = ({ cells }: Line) => cells.map(({ text }) => text).join(' ');
export const sizeOf = ({ cells }: Line) => Math.max(0, ...cells.map(({ size }) => size));

/** Largest distance between rows of one table or column, in letter sizes. */
const NEAR = 3;
const WRAPPED = 1.6;
/** Most columns; no page for people has more. */
const MOST_COLUMNS = 30;
/**
 * The lines of a page in reading order. Columns of text are read one after the other, whatever order they
 * were drawn in; aligned rows become a table.
 */
export function laidOut(lines: readonly Line[]): (Line | Table)[] {
  const out: (Line | Table)[] = [];
  for (let at = 0; at < lines.length; ) {
    const run = runFrom(lines, at);
    if (run) {
      out.push(...run.read);
      at = run.next;
    } else {
      const line = lines[at];
      if (line) out.push(line);
      at++;
    }
  }
  return out;
}

interface Range {
  x: number;
  end: number;
}

/** Reads consecutive lines that share columns; null if none begin here. */
function runFrom(lines: readonly Line[], at: number): { read: (Line | Table)[]; next: number } | null {
  const first = lines[at];
  if (!first || first.cells.length < 2 || first.cells.length > MOST_COLUMNS) return null;
  let next = at + 1;
  let columns = first.cells.map(({ x, end }): Range => ({ x, end }));
  for (let line = lines[next]; line; line = lines[++next]) {
    const above = lines[next - 1];
    if (!above || line.cells.length > MOST_COLUMNS || !isBelow(above, line, NEAR)) break;
    const joined = columnsWith(columns, line);
    // A cell as wide as several columns heads them or follows the table.
    if (!joined || (line.cells.length === 1 && !fits(line, columns))) break;
    columns = joined;
  }
  const run = lines.slice(at, next);
  if (run.filter(({ cells }) => cells.length > 1).length < 2) return null;
  const isStoreyed = first.cells.length < columns.length && !first.cells.some(({ text }) => hasFigure(text));
  const grid = run.map((line) => ({
    line,
    cells: isStoreyed && line === first ? spread(line, columns) : placed(line, columns),
  }));
  if (areColumnsOfText(grid.map(({ cells }) => cells.map((cell) => cell?.text ?? ''))))
    return {
      read: columns.flatMap((_, n) =>
        grid.flatMap(({ line, cells }) => {
          const cell = cells[n];
          return cell ? [{ cells: [cell], y: line.y }] : [];
        }),
      ),
      next,
    };
  // A short line at the margin belongs to the table above only if it is close.
  let end = grid.length;
  while (end > 0 && grid[end - 1]?.line.cells.length === 1) {
    const [above, line] = [grid[end - 2]?.line, grid[end - 1]?.line];
    if (above && line && isBelow(above, line, WRAPPED)) break;
    end--;
  }
  return { read: [tableOf(grid.slice(0, end).map(({ cells }) => cells))], next: at + end };
}

const isBelow = (above: Line, line: Line, sizes: number) => {
  const gap = above.y - line.y;
  return gap > 0 && gap <= sizes * Math.max(sizeOf(above), sizeOf(line), 1);
};

/** The columns widened by a line's cells; null if the cells do not fit their order. */
function columnsWith(columns: readonly Range[], { cells }: Line): Range[] | null {
  const widened = columns.map((range) => ({ ...range }));
  if (cells.length > 1 && cells.length > columns.length) {
    // More cells than columns: the line above heads several of them.
    const own = cells.map(({ x, end }) => ({ x, end }));
    const [left, right] = [own[0]?.x ?? 0, own.at(-1)?.end ?? 0];
    return columns.every(({ x, end }) => x < right && end > left) ? own : null;
  }
  for (const cell of cells) {
    const [only, ...more] = widened.filter((range) => overlaps(range, cell));
    if (!only) {
      if (cells.length === 1) return null;
      widened.push({ x: cell.x, end: cell.end });
      widened.sort((a, b) => a.x - b.x);
    } else if (more.length === 0) {
      only.x = Math.min(only.x, cell.x);
      only.end = Math.max(only.end, cell.end);
    } else if (cells.length === 1) return null;
  }
  return widened;
}

const overlaps = (a: Range, b: Range) => a.x < b.end && b.x < a.end;

/** Whether a line's only cell lies within one column: not the first, and no wider than it was. */
const fits = ({ cells }: Line, columns: readonly Range[]) => {
  const [cell] = cells;
  return (
    cell !== undefined &&
    columns.some(({ x, end }, n) => cell.x >= x - 2 && (cell.end <= end + 2 || (n > 0 && cell.x < end)))
  );
};

/** The cells of a line by column; a cell as wide as several columns is repeated in each, like a head. */
function placed({ cells }: Line, columns: readonly Range[]): (Cell | null)[] {
  return columns.map((range) => {
    const inside = cells.filter((cell) => overlaps(range, cell));
    const [first] = inside;
    return first ? { ...first, text: inside.map(({ text }) => text).join(' ') } : null;
  });
}

/** Heads that span columns: each column takes the head whose middle is nearest to its own. */
function spread({ cells }: Line, columns: readonly Range[]): (Cell | null)[] {
  const middle = ({ x, end }: Range) => (x + end) / 2;
  const away = (cell: Cell, range: Range) => Math.abs(middle(cell) - middle(range));
  return columns.map((range, n) => {
    if (n === 0 && !cells.some((cell) => overlaps(range, cell))) return null;
    return cells.reduce((best, cell) => (away(cell, range) < away(best, range) ? cell : best));
  });
}

function tableOf(grid: readonly (readonly (Cell | null)[])[]): Table {
  const rows: string[][] = [];
  for (const cells of grid) {
    const texts = cells.map((cell) => cell?.text ?? '');
    const above = rows.at(-1);
    // A row with an empty first cell continues the row above, which was broken for width.
    if (above && rows.length > 1 && !texts[0] && texts.filter(Boolean).length === 1)
      for (const [n, text] of texts.entries()) above[n] = [above[n], text].filter(Boolean).join(' ');
    else rows.push(texts);
  }
  const heads = headRows(rows);
  const names = (rows[0] ?? []).map((_, n) =>
    rows
      .slice(0, heads)
      .map((row) => row[n] ?? '')
      .filter(Boolean)
      .join(', '),
  );
  return { heads: names, rows: rows.slice(heads) };
}

const hasFigure = (text: string) => /\d/.test(text);

/** Number of head rows: rows at the top without figures, where most other rows have some. */
function headRows(rows: readonly (readonly string[])[]): number {
  const first = rows.findIndex((row) => row.slice(1).some(hasFigure));
  const figured = rows.filter((row) => row.slice(1).some(hasFigure)).length;
  const named = first > 0 && first <= 2 && figured * 2 > rows.length - first;
  return named && (rows[first - 1] ?? []).slice(1).every((text) => text !== '') ? first : 0;
}

import { tokenize } from '../words/tokens.ts';
import { answerMarks, marksFor } from './answer-types.ts';
import type { Block, Unit } from './parse.ts';
import type { Question } from './question.ts';
import { expand, type SearchIndex } from './search-index.ts';

/** What a question about a whole table asks of it: "How long does delivery take?" asks for each row's time. */
export interface AskedColumn {
  /** Its rows with an answer, in order; of a question that names rows, these alone. */
  units: readonly number[];
  /** Each of them with the column that was asked for alone; null when the question names rows, which are told as usual. */
  told: readonly string[] | null;
}

/** So many rows are told: more cannot be kept in mind when heard. */
const MAX_ROWS = 4;
/** From here on a word of the table's name stands for the question's. */
const SAME = 0.75;
/** Lighter words of a question ("item", "cost") name no topic. */
const TOPIC = 0.6;

/**
 * The rows of the tables, and of the lists of "name: value", that are named like the question's topic and hold the kind of
 * answer it asks for in one column; by block. "Express delivery" asks for the row of that name alone.
 */
export function askedColumns(index: SearchIndex, question: Question): ReadonlyMap<number, AskedColumn> {
  const found = new Map<number, AskedColumn>();
  const { expects } = question;
  const topic = question.terms.filter((term) => term.weight >= TOPIC);
  if (!expects || topic.length === 0 || question.age !== null || question.measures.length > 0) return found;
  const meant = question.terms.map((term) => ({
    term,
    stems: new Set(
      expand(index, term.word, term.stem, term.isName)
        .filter((hit) => hit.weight >= SAME && !hit.stem.startsWith('#'))
        .map((hit) => hit.stem),
    ),
  }));
  const marks = marksFor(expects).map(([mark]) => mark);
  const bears = (text: string) => answerMarks(text).some((mark) => marks.includes(mark));
  for (const block of index.blocks) {
    const rows = rowsOf(index, block);
    const first = rows[0];
    if (!first || rows.length < 2) continue;
    const name = nameOf(index, first.unit, marks);
    if (!meant.some(({ stems }) => meets(stems, name))) continue;
    // "Freight" may stand for delivery, but the row of that very name is meant.
    const others = meant.filter(
      ({ term, stems }) =>
        !meets(stems, name) || (!name.has(term.stem) && rows.some((row) => row.stems.has(term.stem))),
    );
    const inRows = others.filter(({ stems }) => rows.some((row) => meets(stems, row.stems)));
    if (others.some((other) => other.term.weight >= TOPIC && !inRows.includes(other))) continue;
    const named = rows.filter((row) => inRows.every(({ stems }) => meets(stems, row.stems)));
    const bearing = columnsOf(rows).filter(
      (column) =>
        rows.filter((row) => bears(row.values.get(column) ?? '')).length >= Math.max(2, rows.length * 0.6),
    );
    const [column] = bearing;
    if (column === undefined || bearing.length > 1) continue;
    const told = named.filter((row) => bears(row.values.get(column) ?? '')).slice(0, MAX_ROWS);
    if (told.length === 0) continue;
    found.set(block.id, {
      units: told.map((row) => row.unit.id),
      told: inRows.length > 0 ? null : told.map((row) => `${row.name}: ${row.values.get(column) ?? ''}`),
    });
  }
  return found;
}

const meets = (stems: ReadonlySet<string>, text: ReadonlySet<string>) =>
  [...text].some((stem) => stems.has(stem));

interface Row {
  unit: Unit;
  name: string;
  /** Of its name. */
  stems: ReadonlySet<string>;
  values: ReadonlyMap<string, string>;
}

const labelled = /^([^.!?:]{2,60}):\s+(\S.*)$/;

/** The rows of a table, or the items of a list if each is "name: value". */
function rowsOf(index: SearchIndex, block: Block): Row[] {
  const rows: Row[] = [];
  for (const id of block.units) {
    const unit = index.units[id];
    if (!unit || index.steering.has(id)) return [];
    if (unit.cells) {
      const [first, ...rest] = unit.cells;
      if (first)
        rows.push({
          unit,
          name: first.value,
          stems: stemsIn(first.value),
          values: new Map(rest.map((cell) => [cell.column, cell.value])),
        });
      continue;
    }
    const label = unit.kind === 'item' ? labelled.exec(unit.text) : null;
    if (!label?.[1] || !label[2]) return [];
    rows.push({ unit, name: label[1], stems: stemsIn(label[1]), values: new Map([['', label[2]]]) });
  }
  return rows;
}

const columnsOf = (rows: readonly Row[]) => [...new Set(rows.flatMap((row) => [...row.values.keys()]))];

const stemsIn = (text: string): ReadonlySet<string> =>
  new Set(tokenize(text).flatMap((token) => (token.isStop ? [] : [token.stem])));

/** Stems of the heading right above, of the one above a mere "Prices" or "Opening hours", and of the first column's name. */
function nameOf(index: SearchIndex, unit: Unit, marks: readonly string[]): ReadonlySet<string> {
  const near = stemsIn(unit.headings.at(-1) ?? '');
  const tellsKind = [...near].every((stem) =>
    expand(index, stem, stem, false).some((hit) => marks.includes(hit.stem)),
  );
  return new Set([
    ...near,
    ...(tellsKind ? stemsIn(unit.headings.at(-2) ?? '') : []),
    ...stemsIn(unit.cells?.[0]?.column ?? ''),
    ...(unit.cells ? [] : stemsIn(unit.leadIn)),
  ]);
}

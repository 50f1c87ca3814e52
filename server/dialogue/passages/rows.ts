import type { LanguagePack } from '#server/languages/contract';
import type { Row } from './blocks.ts';
import { draftOf, finished } from './drafts.ts';
import { headingText, unmarked } from './lines.ts';
import type { Draft } from './pack.ts';

/** The rows of a table as drafts, each with its name: its first cell, under the names of its columns. */
export function rowDrafts(
  { columns, rows }: { columns: readonly string[]; rows: readonly Row[] },
  language: LanguagePack,
): { name: string; draft: Draft }[] {
  const names = columns.map((name) => headingText(name, language));
  const filled = rows
    .map(({ cells, indent }) => ({ values: cells.map(unmarked), indent }))
    .filter(({ values }) => values.some(Boolean));
  const times = new Map<string, number>();
  for (const { values } of filled) times.set(values[0] ?? '', (times.get(values[0] ?? '') ?? 0) + 1);
  // "24 December" below "Saturday" needs no "Day" before it.
  const isCounted = filled.every(({ values: [first = ''] }) => !first || FIGURE.test(first));
  const drafts: { name: string; draft: Draft }[] = [];
  let above: { name: string; indent: number; draft: Draft } | null = null;
  for (const { values, indent } of filled) {
    const [first = ''] = values;
    const namesOf = !isCounted && NAMED_FIGURE.test(first) ? ['', ...names.slice(1)] : names;
    const cells = values
      .map((value, n) => ({ column: namesOf[n] ?? '', value }))
      .filter(({ value }) => value);
    const continues = above !== null && (indent > above.indent || (!first && values.length > 1));
    // "Return" below each of several fares needs the fare's name.
    const repeats =
      above !== null && cells.length > 1 && (times.get(first) ?? 0) > 1 && hasOwn(times, above.name);
    const isBelow = above !== null && (continues || repeats);
    const prefix = isBelow && above?.name ? `${above.name}${first ? ' – ' : ''}` : '';
    const draft: Draft = { ...draftOf('row', cells.map(({ value }) => value).join(' | '), ''), cells };
    draft.told = finished(toldRow(first, cells, namesOf, prefix, filled.length === 1));
    if (isBelow && above) draft.leans.add(above.draft);
    else above = { name: first, indent, draft };
    drafts.push({ name: `${first}\n${names.join('\n')}`, draft });
  }
  return drafts;
}

/** Whether only one row has this name, so that it identifies it. */
const hasOwn = (times: ReadonlyMap<string, number>, name: string) => name !== '' && times.get(name) === 1;

const TICK = /[✓✔✗✘☑✅❌]/u;
/** A figure with a name of its own. */
const NAMED_FIGURE = /^\d.*\p{Lu}\p{Ll}{2}/u;
const FIGURE = /^[\d£$€<>~]/;

/**
 * A row in speech: the first cell names it, the others come with their column. The colon is audible: of "price $24,
 * time 6 to 9 days" a recogniser made "priced twenty four dollars times six".
 */
function toldRow(
  first: string,
  cells: readonly { column: string; value: string }[],
  names: readonly string[],
  prefix: string,
  alone: boolean,
): string {
  // A single row of only figures has no name itself: "Adult: $110; Child: $80".
  const isFigures =
    alone && cells.length > 2 && cells.every(({ column, value }) => column && FIGURE.test(value));
  if (isFigures) return cells.map(({ column, value }) => `${column}: ${value}`).join('; ');
  // A dash means none; beside ticks it means no.
  const hasTicks = cells.some(({ value }) => TICK.test(value));
  const rest = (first ? cells.slice(1) : cells).filter(
    ({ value }) => hasTicks || /[\p{L}\p{N}]/u.test(value) || !/^[–—-]+$/.test(value),
  );
  const hasColumn = names.some((name, n) => n > 0 && name);
  // A row that begins with a figure names its column.
  const head = `${prefix}${first && FIGURE.test(first) && names[0] ? `${names[0]} ` : ''}${first}`;
  if (rest.length === 0) return head;
  const told = hasColumn
    ? rest.map(({ column, value }) => (column ? `${column}: ${value}` : value)).join('; ')
    : rest.map(({ value }) => value).join(', ');
  return head ? `${head}: ${told}` : told;
}

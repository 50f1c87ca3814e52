import { BROKEN, EMPTY, Unreadable } from '#server/engines/unreadable';
import { parseShallowJson } from '#server/lib/shallow-json';
import { readTable } from './read-csv.ts';

const FOR_PROGRAMS =
  'This is data for programs: what belongs together in it cannot be told. Save it as CSV, or as text.';
/** Most fields; no list that people maintain has more. */
const MOST_FIELDS = 100;

type Record = ReadonlyMap<string, string>;

/**
 * Converts a list of records (the value itself, or the only list in an object) to a table or to questions
 * with answers; a single record to lines with labels.
 * @throws Unreadable, also for deeper nesting
 */
export function readJson(text: string): string {
  const value = parsed(text.replace(/^\ufeff/, ''));
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) throw new Unreadable(FOR_PROGRAMS);
  if (Array.isArray(value)) return records(value);
  const lists = Object.values(value).filter((each) => Array.isArray(each) && each.some(isObject));
  const [only] = lists;
  if (lists.length === 1 && Array.isArray(only)) return records(only);
  return [...recordOf(value)]
    .map(([name, told]) => (name.endsWith('?') ? `## ${name}\n\n${told}` : `${name}: ${told}`))
    .join('\n\n');
}

function parsed(text: string): unknown {
  try {
    return parseShallowJson(text);
  } catch {
    throw new Unreadable(BROKEN);
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function records(values: readonly unknown[]): string {
  if (values.length === 0) throw new Unreadable(EMPTY);
  if (!values.some(isObject)) return values.map(plain).filter(Boolean).join('\n\n');
  const read = values.map((value) => {
    if (!isObject(value) || Array.isArray(value)) throw new Unreadable(FOR_PROGRAMS);
    return recordOf(value);
  });
  const names = [...new Set(read.flatMap((record) => [...record.keys()]))];
  if (names.length > MOST_FIELDS) throw new Unreadable(FOR_PROGRAMS);
  return readTable([names, ...read.map((record) => names.map((name) => record.get(name) ?? ''))]);
}

/** Flattens groups: their fields are named after the group. */
function recordOf(value: object): Record {
  return new Map(
    Object.entries(value).flatMap(([name, field]) =>
      isObject(field) && !Array.isArray(field)
        ? Object.entries(field).map(([inner, told]): [string, string] => [`${name} ${inner}`, plain(told)])
        : [[name, plain(field)]],
    ),
  );
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(plain).filter(Boolean).join(', ');
  if (isObject(value)) throw new Unreadable(FOR_PROGRAMS);
  return String(value);
}

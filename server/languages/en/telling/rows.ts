import type { Cell } from '../../contract.ts';
import { listed } from '../lists.ts';
import { hasAskedKind } from '../questions/asked-kind.ts';
import { termsOf } from '../words.ts';
import { namedTopic } from './headings.ts';

const amount =
  /^(?:(?:from|about|approx\.?|around|only|up to|over|under) )?[$€£¥]\s?\d|^(?:free|included|no charge)\b|^\d[\d.,]*\s?(?:[$€£]|p\b|cents?\b|euros?\b|pounds?\b|dollars?\b)/i;
const duration =
  /^(?:(?:about|around|up to|within|approx\.?) )?\d[\d.,]*(?:\s?(?:-|–|to) ?\d[\d.,]*)?[\s-]?(?:business |working |calendar )?(?:min(?:ute)?s?|hours?|hrs?|days?|weeks?|months?|years?)\b/i;
const priceColumn = /\b(?:price|pricing|cost|fee|fare|charge|rate|amount|total|per|pay|premium)s?\b/i;
const timeColumn = /\b(?:time|duration|takes?|long|days|delivery|wait(?:ing)?)\b/i;
/** A column named by a verb: "Opens", "Departs", "Leaves Port Allan". */
const verbColumn =
  /^(?:opens|closes|starts|begins|ends|leaves|departs|arrives|returns|runs|sails|costs|takes|lasts|includes|seats|sleeps|holds|needs)(?: [^,:;]{1,40})?$/i;
/** A column named by a clause: "When you can come in", "Who it is for". */
const clauseColumn = /^(?:when|where|who|what|which|how|why|if)\b/i;
/** Marks for yes and no in a cell. */
const tick = /^[✓✔☑✅]/u;
const cross = /^(?:[✗✘✖❌]|[–—-]+$)/u;
/** Ordinary words with which a cell may begin, as a sentence does. */
const ordinary =
  /^(?:From|Free|Up|By|Within|About|Around|Only|Next|Same|On|No|None|Included|At|For|Between|Daily|Weekly|Monthly|Over|Under|Half|Fewer|More|Less|Until|Before|After|Standard|Every|Each|Any|All)\b/;

/** Adapts text to the middle of a sentence: "Under 2's" becomes "under 2's", "Skye" stays. */
const within = (text: string) =>
  ordinary.test(text) || /^\p{Lu}\p{Ll}+(?: [\p{Ll}\d(][^\s]*)+$/u.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;

/**
 * A table row as a sentence: "For Canada, delivery costs $24 and takes 6 to 9 business days."
 * @param asked tells only the cells that answer this question, if any do
 * @param heading above the table; a first column of the same name holds the subjects
 */
export function rowAsSentence(cells: readonly Cell[], asked: string, heading: string): string | null {
  const [first, ...others] = cells;
  if (first && others.some(({ value }) => tick.test(value)))
    return ticksAsSentence(
      first.value,
      wantedOf(
        others.filter(({ column, value }) => column && value),
        asked,
      ),
    );
  const filled = others.filter(({ value }) => /[\p{L}\d]/u.test(value));
  if (!first || filled.length === 0 || first.value.split(/\s+/).length > 12) return null;
  if (filled.every(({ column }) => column === '') && !filled.some(({ value }) => isShortFact(value)))
    return null;
  const told = wantedOf(filled, asked);
  const thing = first.column.toLowerCase();
  const about = isSame(thing, heading) && namedTopic(thing) === thing ? thing : null;
  const isGrid = first.column === '' && filled.length > 1 && filled.every(({ value }) => isHours(value));
  const clauses = inOneBreath(
    told.map((cell, at) =>
      isGrid ? `it's ${within(bare(cell.value))} for ${cell.column}` : clauseOf(cell, about, told[at - 1]),
    ),
  );
  const joined = clauses.length === 2 ? clauses.join(' and ') : listed(clauses);
  // "Leaves the pier" is a verb, not the row's name.
  if (verbColumn.test(first.column.trim())) {
    const others = joined.replace(/^it /, '');
    return `It ${doneAt(first)}${clauses.length === 1 ? ' and' : ','} ${others}.`;
  }
  // For a row that begins with a figure, the column says of what.
  const name =
    /^[\d£$€<>~]/.test(first.value) && first.column ? `${first.column} ${first.value}` : first.value;
  return `For ${within(bare(name))}, ${joined}.`;
}

/** "Late checkout: yes for Gold and Silver, no for Basic." */
function ticksAsSentence(name: string, cells: readonly Cell[]): string {
  const columnsOf = (isMeant: (value: string) => boolean) =>
    cells.filter(({ value }) => isMeant(value)).map(({ column }) => column);
  const yes = columnsOf((value) => tick.test(value));
  const no = columnsOf((value) => cross.test(value));
  const others = cells
    .filter(({ value }) => !tick.test(value) && !cross.test(value))
    .map(({ column, value }) => `${bare(value)} for ${column}`);
  const parts = [
    ...(yes.length ? [`yes for ${listed(yes)}`] : []),
    ...(no.length ? [`no for ${listed(no)}`] : []),
    ...others,
  ];
  return `${bare(name)}: ${parts.join(', ')}.`;
}

/** "It's £7 for residents and it's £9 for others" needs its "it's" only once. */
const inOneBreath = (clauses: readonly string[]): string[] =>
  clauses.every((clause) => clause.startsWith("it's "))
    ? clauses.map((clause, at) => (at === 0 ? clause : clause.slice(5)))
    : [...clauses];

/** Merges rows with the same structure: "It's £12 for adults and £6 for children." */
export function rowsTogether(sentences: readonly string[]): string[] {
  const parts = sentences.map((sentence) =>
    /^For (.{1,80}?), (it's|it takes|the [^,]{1,40}? (?:is|are)) (.{1,60})\.$/.exec(sentence),
  );
  const [, , opens = ''] = parts[0] ?? [];
  const isAlike = parts.every((part) => part !== null && part[2] === opens && !/,| and /.test(part[3] ?? ''));
  if (sentences.length < 2 || !isAlike) return [...sentences];
  const open = opens.charAt(0).toUpperCase() + opens.slice(1);
  return [`${open} ${listed(parts.map((part) => `${part?.[3]} for ${part?.[1]}`))}.`];
}

/** A list item with a price, "Bathtub: $25.00.", or with a deed and time: "Night Market: Opens May 4." */
export function itemAsSentence(told: string): string {
  const [, label, value] = /^([^:]{2,60}): (.{1,60})$/.exec(told) ?? [];
  if (!label || !value || /[.!?] /.test(value)) return told;
  const [verb = '', ...rest] = value.split(' ');
  if (verbColumn.test(verb) && rest.length > 0) return `${label} ${verb.toLowerCase()} ${rest.join(' ')}`;
  return !label.includes(',') && amount.test(value)
    ? `For ${within(label)}, it's ${within(bare(value))}.`
    : told;
}

/** The row's cells whose columns are asked for, else those of the kind asked for, else all. */
function wantedOf(cells: readonly Cell[], asked: string): readonly Cell[] {
  const terms = new Set(termsOf(asked));
  const named = cells.filter(
    ({ column }) => column !== '' && termsOf(column).every((term) => terms.has(term)),
  );
  if (named.length > 0) return named;
  const ofKind = cells.filter(({ column, value }) => hasAskedKind(asked, `${column} ${value}`));
  return ofKind.length > 0 ? ofKind : cells;
}

function clauseOf(cell: Cell, about: string | null, before: Cell | undefined): string {
  const { column } = cell;
  const value = within(bare(cell.value));
  const isMany = about !== null && /[^s]s$/.test(about);
  const subject = before === undefined || isNamed(before) ? `${about ?? 'it'} ` : '';
  if (amount.test(value) && isOfPrice(column)) {
    const verb =
      /^\D/.test(value) && /^(?:free|included|no charge)/i.test(value)
        ? isMany
          ? 'are'
          : 'is'
        : isMany
          ? 'cost'
          : 'costs';
    return about === null ? `it's ${value}` : `${subject}${verb} ${value}`;
  }
  if (duration.test(value) && (column === '' || timeColumn.test(column)))
    return about === null ? `it takes ${value}` : `${subject}${isMany ? 'take' : 'takes'} ${value}`;
  if (column === '') return value;
  if (amount.test(value)) return `it's ${value} for ${column}`;
  if (verbColumn.test(column.trim())) return `${subject}${doneAt(cell)}`;
  if (clauseColumn.test(column.trim())) return `${within(lowered(column.trim()))}: ${value}`;
  const name = lowered(column.replace(/(?<!\s)\s*:\s*$/, ''));
  return `the ${name} ${/[^s]s(?: \([^()]*\))?$/i.test(name) ? 'are' : 'is'} ${value}`;
}

/** "Opens at 05:00", "leaves Port Allan at 07:15", "runs daily". */
function doneAt({ column, value }: Cell): string {
  const [verb = '', ...rest] = column.trim().split(' ');
  const isClock = /^\d{1,2}(?:[:.]\d\d|\s?(?:am|pm|noon)\b)/i.test(value);
  return [verb.toLowerCase(), ...rest, isClock ? 'at' : '', within(bare(value))].filter(Boolean).join(' ');
}

/** Whether the column's name is said. */
const isNamed = ({ column, value }: Cell) =>
  !verbColumn.test(column.trim()) &&
  !(amount.test(value) && isOfPrice(column)) &&
  !(duration.test(value) && timeColumn.test(column));

/** When something is open: of a table whose columns all say so the columns are places or days, and no attributes. */
const isHours = (value: string) =>
  /^(?:closed|(?:every day |daily )?\d{1,2}(?:[.:]\d\d)?\s?(?:am|pm)?\s?(?:-|–|to)\s?\d)/i.test(value);

const isOfPrice = (column: string) => column === '' || priceColumn.test(column);

const isShortFact = (value: string) => amount.test(within(value)) || duration.test(value);

const isSame = (one: string, other: string) =>
  termsOf(one).join() !== '' && termsOf(one).join() === termsOf(other).join();

/** Lower-cases "Data Usage" and "£5 Per hour" for the middle of a sentence. */
const lowered = (text: string) =>
  text.replace(/(?<![\p{L}\d])\p{Lu}(?=\p{Ll}+(?![\p{L}\d]))/gu, (letter) => letter.toLowerCase());

const bare = (text: string) =>
  text
    .trim()
    .replace(/(?<![.;,\s])[.;,\s]+$/, '')
    .replace(/(?<=\d )(?:Per|Each|A|For|Daily)\b/g, lowered);

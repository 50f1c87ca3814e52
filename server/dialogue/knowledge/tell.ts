import { properNames } from '../words/names.ts';
import { contentStems, tokenize } from '../words/tokens.ts';
import { answerMarks } from './answer-types.ts';
import { lowerFirst, type Unit } from './parse.ts';
import type { Question } from './question.ts';
import type { SearchIndex } from './search-index.ts';
import { upperFirst } from './speech.ts';

type Cell = NonNullable<Unit['cells']>[number];

/** Column names that a value makes plain by itself. */
const plainColumn =
  /^(?:prices?|costs?|fees?|amount|charge|time|times|hours?|opening (?:hours|times)|duration|processing time|delivery time|(?:how|where) to (?:reach|contact|find) .*|contact|phone|telephone|e-?mail|when|where|day|days|address)(?: \([^)]*\))?$/i;
const plainMarks = [
  '#money',
  '#duration',
  '#clock',
  '#weekday',
  '#phone',
  '#email',
  '#url',
  '#date',
  '#address',
];
const deliveryColumn =
  /^(?:delivery|shipping|shipment|deliver(?:y|ies) to|ship(?:ping)? to|destination|country|region)\b/i;

/** Only what such a question asks for is told of a row; of prices and times a short row is told whole. */
const narrow: Record<string, readonly string[]> = {
  '#clock': ['#clock', '#weekday'],
  '#phone': ['#phone'],
  '#email': ['#email'],
  '#url': ['#url'],
  '#contact': ['#phone', '#email', '#url'],
  '#address': ['#address'],
};

/** A row of a table as a person would say it: the first cell names it, of the others what was asked for. */
export function tellRowFor(unit: Unit, question: Question): string {
  const [first, ...rest] = unit.cells ?? [];
  if (!first || rest.length === 0) return unit.text;
  const told = cellsFor(rest, question);
  const price = told.find(
    (cell) =>
      /^(?:prices?|costs?|fees?|charge)\b/i.test(cell.column) &&
      /^[$€£]?\d|^free$|^[A-Z]{3} \d/i.test(cell.value),
  );
  const time = told.find((cell) => /\btime|duration\b/i.test(cell.column) && /^\d/.test(cell.value));
  if (
    deliveryColumn.test(first.column) &&
    isPlace(first.value) &&
    price &&
    told.every((cell) => cell === price || cell === time)
  ) {
    const cost = /^free$/i.test(price.value) ? 'is free' : `costs ${price.value}`;
    return `Delivery to ${first.value} ${cost}${time ? ` and takes ${time.value}` : ''}.`;
  }
  const marks = told.map((cell) => answerMarks(cell.value).filter((mark) => plainMarks.includes(mark)));
  const words = told.map((cell, n) => {
    const own = marks[n] ?? [];
    const unlike = marks.every((other, m) => m === n || !other.some((mark) => own.includes(mark)));
    return own.length > 0 && plainColumn.test(cell.column) && (unlike || told.length === 1)
      ? cell.value
      : `${lowerFirst(cell.column)} ${cell.value}`.trim();
  });
  const joint = told.some((cell) => cell.value.includes(',')) ? '; ' : ', ';
  return `${first.value}: ${words.join(joint)}.`;
}

const way =
  /^(?:phone|telephone|call|hotline|live chat|chat|e-?mail|post|mail|whatsapp|sms|text message|online|app)$/i;

/** Rows of ways to get in touch as one sentence, when addresses or hours of them were asked for; else null. */
export function tellWays(rows: readonly Unit[], question: Question): string | null {
  const marks = question.expects ? narrow[question.expects] : undefined;
  if (!marks) return null;
  const told = rows.map((row) => {
    const [first, ...rest] = row.cells ?? [];
    const [cell, ...others] = first && way.test(first.value) ? cellsFor(rest, question) : [];
    if (!first || !cell || others.length > 0 || !answerMarks(cell.value).some((mark) => marks.includes(mark)))
      return null;
    const by = `by ${/^[A-Z]{2}/.test(first.value) ? first.value : first.value.toLowerCase()}`;
    return question.expects === '#clock' ? `${by} ${cell.value}` : `${by} at ${cell.value}`;
  });
  if (told.length === 0 || !told.every((part) => part !== null)) return null;
  const parts = told.filter((part) => part !== null);
  if (question.expects !== '#clock')
    return `You can reach us ${parts.length > 1 ? `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}` : parts[0]}.`;
  return `You can reach us ${parts.join('; ')}.`;
}

function cellsFor(rest: readonly Cell[], question: Question): readonly Cell[] {
  const kinds = question.expects ? narrow[question.expects] : undefined;
  const fitting = kinds
    ? rest.filter((cell) => answerMarks(cell.value).some((mark) => kinds.includes(mark)))
    : [];
  if (fitting.length > 0) return fitting;
  if (rest.length <= 3) return rest;
  const asked = rest.filter((cell) => {
    const stems = contentStems(cell.column);
    return question.terms.some((term) => stems.includes(term.stem));
  });
  return asked.length > 0 ? asked : rest;
}

const isPlace = (value: string) => tokenize(value).some((token) => properNames.has(token.stem));

const following =
  /^(?:the following|these)(?: (?:items?|things?|products?|goods|articles?|kinds? of \w+|types? of \w+))? ((?:can ?not|can't|can|may|must|are|is|will|do|does)(?: not)?(?: be)?)\b(.*?):?$/i;
/** A lead-in that runs on into its list: "We accept:". */
const runsOn =
  /\b(?:accept|offer|sell|cover|covers|include|includes|need|needs|bring|have|has|are|is|take|provide|to|with|for|by|of|from|in|deliver|require|requires|get|gets)$/i;

/** A list, or some of it, with what introduces it, as one sentence. */
export function tellList(leadIn: string, items: readonly string[]): string {
  const told = items.map((item) => item.replace(/[.;,]$/, '').replace(/[;,]? (?:and|or)$/, ''));
  const joined = joinedUp(
    told.map((item, n) => ((n === 0 && !leadIn) || startsWithName(item) ? item : lowerFirst(item))),
  );
  const introduction = leadIn.replace(/:\s*$/, '').trim();
  if (!introduction) return upperFirst(joined);
  const turned = following.exec(introduction);
  if (turned?.[1] && (turned[2] ?? '').trim())
    return `${upperFirst(joined)} ${plural(turned[1], told)}${turned[2] ?? ''}`;
  return runsOn.test(introduction) && !/\bfollowing\b/i.test(introduction)
    ? `${introduction} ${joined}`
    : `${introduction}: ${joined}`;
}

const startsWithName = (item: string) => properNames.has(tokenize(item)[0]?.stem ?? '');

const plural = (verb: string, items: readonly string[]) =>
  items.length > 1 ? verb.replace(/^is\b/, 'are') : verb;

export const joinedUp = (items: readonly string[]) =>
  items.length > 1 ? `${items.slice(0, -1).join(', ')} and ${items.at(-1)}` : (items[0] ?? '');

const goesOn = /^(?:is|are|was|were|has|have|can|cannot|may|must|will|never|[a-z]{3,}s)\b/;

/**
 * A sentence that begins with "It" or "They", said with what it speaks of, when the sentence before begins with the heading's
 * words or with words of the question; else null.
 */
export function withItsSubject(index: SearchIndex, question: Question, id: number): string | null {
  const unit = index.units[id];
  const before = index.units[id - 1];
  const pronoun = /^(It|They) /.exec(unit?.text ?? '')?.[1];
  if (!unit || !before || !pronoun || before.block !== unit.block) return null;
  const words = before.text.split(' ');
  const asked = new Set(question.terms.map((term) => term.stem));
  const heading = unit.headings.at(-1)?.toLowerCase() ?? '';
  for (let length = 3; length > 0; length--) {
    const subject = words.slice(0, length).join(' ');
    if (!/^[\p{L}\p{N}' -]+$/u.test(subject) || !goesOn.test(words[length] ?? '')) continue;
    const stems = contentStems(subject);
    const known =
      subject.toLowerCase() === heading || (stems.length > 0 && stems.every((stem) => asked.has(stem)));
    if (!known || /s$/.test(subject) !== (pronoun === 'They')) continue;
    return unit.text.replace(pronoun, subject);
  }
  return null;
}

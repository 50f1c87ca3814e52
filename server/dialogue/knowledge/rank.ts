import { stopWords, tokenize } from '../words/tokens.ts';
import { wordVectors } from '../words/word-vectors.ts';
import type { Unit } from './parse.ts';
import type { Question } from './question.ts';
import type { SearchIndex } from './search-index.ts';

/** What speaks for a unit as the answer, each about 0 to 1. */
export interface Clues {
  /** Share of the question's weight that the unit, its headings or neighbours meet. */
  covered: number;
  /** The same of the question's own words by the unit's own words alone. */
  own: number;
  /** How near the question's words have a word of the unit or its heading, by word vectors. */
  soft: number;
  /** Likeness in meaning of question and unit. */
  like: number;
  /** Likeness of question and what stands around the unit. */
  around: number;
  /** How much of a written question above it the question shares. */
  asked: number;
  /** Neighbouring words that are neighbours in the question as well. */
  pairs: number;
  /** Share of the question that stands in its headings. */
  heading: number;
  /** The same, for a question of a word or two, which asks for a whole topic. */
  topic: number;
  /** It lacks the kind of answer that was asked for. */
  unfit: number;
  /** It tells a time that something takes, when asked for. */
  takes: number;
  /** It tells how, why or where, when asked for. */
  manner: number;
  /** It allows or forbids, when asked whether. */
  rules: number;
  /** It lists, when asked for several. */
  list: number;
  /** It counts the very thing, when asked how many. */
  counts: number;
  /** It sets a bound that an age or amount in the question can be held against. */
  bounds: number;
  /** Opens its section, where the main thing is said; half for the next. */
  first: number;
  /** Opens with a condition of which the question says nothing. */
  condition: number;
  /** Its first words are the question's. */
  subject: number;
  /** A row of a table with a column that was asked for. */
  cell: number;
  /** A row of a table that the question asks about as a whole. */
  column: number;
  /** Words, 1 for 45 and more. */
  long: number;
  /** A question itself. */
  asks: number;
  /** Stands in a section that the turn before was answered from. */
  before: number;
}

/** Found by tests/bench/fit-ranking.ts (pull 0.05), rounded. */
export const weights: Clues = {
  covered: 0.94,
  own: 0.01,
  soft: 0.07,
  like: 0.47,
  around: 0.04,
  asked: 0.08,
  pairs: 0.06,
  heading: 0.1,
  topic: 0.09,
  unfit: -0.12,
  takes: 0.17,
  manner: 0.12,
  rules: 0.06,
  list: 0.11,
  counts: 0.17,
  bounds: 0.28,
  first: 0.07,
  condition: -0.11,
  subject: 0.1,
  cell: 0.09,
  // Set by hand: too few questions ask for a whole table to fit it.
  column: 0.3,
  long: -0.02,
  asks: -0.2,
  before: 0.1,
};

export const clueNames = Object.keys(weights) as readonly (keyof Clues)[];

export function scoreOf(clues: Clues): number {
  let score = 0;
  for (const name of clueNames) score += weights[name] * clues[name];
  return score;
}

const tellsHow =
  /^(?:please )?(?:go|click|open|print|call|write|select|choose|send|visit|press|enter|use|log|sign|tap|contact|show|bring|ask)\b|\b(?:by (?:email|phone|clicking|calling|letter|post)|under "|write to|select "|click|via|online at|print it|in the (?:app|portal|settings))/i;
const tellsWhy = /\b(?:because|since|due to|so that|reason|in order to)\b/i;
const asksNeeds = /\b(?:need|require|must i|have to (?:bring|provide|show|send|upload|submit))/i;
const tellsNeeds =
  /\b(?:needs?|must|required?|requires|has to|have to|bring|provide|with (?:a|an|your|their))\b/i;
const tellsWhere = /\b(?:at|in|on|to|from|near|under|via)\b/i;
const tellsWhether =
  /\b(?:can|may|cannot|can't|not|only|must|no|yes|accept|offer|allowed|available|free|welcome|include)\b/i;

/** The clues that the question's form and the unit's wording give. */
export function formClues(
  question: Question,
  unit: Unit,
): Pick<Clues, 'takes' | 'manner' | 'rules' | 'list' | 'long' | 'asks'> {
  const { kind } = question;
  const { text } = unit;
  return {
    takes: yes(
      kind === 'how-long' && /\btake\b/i.test(question.text) && /\btakes?\b|\bwithin\b|\bup to\b/i.test(text),
    ),
    manner:
      yes(kind === 'how' && tellsHow.test(text)) +
      yes(asksNeeds.test(question.text) && tellsNeeds.test(text)) +
      yes(kind === 'why' && tellsWhy.test(text)) +
      0.4 * yes(kind === 'where' && tellsWhere.test(text)),
    rules: yes(kind === 'yes-no' && tellsWhether.test(text)),
    list: yes(question.wantsList && (/:\s*$/.test(text) || (text.match(/,/g)?.length ?? 0) >= 2)),
    long: Math.min(1, text.split(' ').length / 45),
    asks: yes(unit.kind === 'sentence' && text.endsWith('?')),
  };
}

const yes = (is: boolean) => (is ? 1 : 0);

const opensWithCondition =
  /^(?:(if|when|whenever|in case|should|after|once|until|unless|while|during|outside)|(for|with|without|from|in|on|to|at|as)) ([^,.;:]{3,90}),/i;

/** The words of the condition that a text opens with, and how strictly it limits what follows. */
export function openingCondition(text: string): { words: string; limits: number; rest: string } | null {
  const match = opensWithCondition.exec(text);
  if (!match?.[3] || match[3].split(' ').length > 14) return null;
  return { words: match[3], limits: match[1] ? 1 : 0.6, rest: text.slice(match[0].length) };
}

/** What the wording of a unit tells beyond its words, remembered per unit. */
export interface Shape {
  condition: { stems: readonly string[]; limits: number } | null;
  /** Says "it" or "they" of what the sentence before names. */
  pointsBack: boolean;
  /** Stems of its first words of meaning, conditions and numbers aside. */
  subject: readonly string[];
  /** Stems of the things it counts. */
  counted: ReadonlySet<string>;
  columns: readonly (readonly string[])[];
  bounds: readonly Bound[];
  measures: ReadonlySet<string>;
}

export interface Bound {
  from: number;
  to: number;
}

export function shapeOf(unit: Unit): Shape {
  const condition = openingCondition(unit.text);
  const stemsIn = (text: string) => tokenize(text).flatMap((token) => (token.isStop ? [] : [token.stem]));
  const counted = new Set<string>();
  const measures = new Set<string>();
  const tokens = tokenize(unit.text);
  for (const [n, token] of tokens.entries()) {
    if (!isNumber(token.word)) continue;
    for (const after of tokens.slice(n + 1, n + 4)) counted.add(after.stem);
    const next = tokens[n + 1];
    if (next) measures.add(next.stem);
  }
  return {
    condition: condition && { stems: stemsIn(condition.words), limits: condition.limits },
    pointsBack: /^(?:it|they|this|these|that|those)\b/i.test(unit.text),
    subject: stemsIn(
      (condition?.rest ?? unit.text).replace(/\b\d+[ -](?:year|month|day|week|hour|minute)s?\b/g, ' '),
    ).slice(0, 3),
    counted,
    columns: (unit.cells ?? []).slice(1).map((cell) => stemsIn(cell.column)),
    bounds: boundsIn(unit.text),
    measures,
  };
}

const numberWords = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ').map((w, n) => [w, n]),
);
const isNumber = (word: string) => /^\d/.test(word) || numberWords.has(word);

const number = '(\\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve)s?';
const none = Number.POSITIVE_INFINITY;
const boundPatterns: [RegExp, (a: number, b: number) => Bound][] = (
  [
    [
      `\\b(?:under|below|up to|younger than|less than|at most|maximum(?: of)?|fewer than)[ -](?:the age of )?${number}\\b`,
      (a) => ({ from: 0, to: a }),
    ],
    [
      `\\b(?:over|above|from|at least|older than|more than|minimum(?: of)?|aged)[ -](?:the age of )?${number}\\b(?! ?(?:am|pm|:))`,
      (a) => ({ from: a, to: none }),
    ],
    [`\\b${number} (?:years )?(?:or|and) (?:older|over|above|more|up)\\b`, (a) => ({ from: a, to: none })],
    [`\\b${number} (?:years )?(?:or|and) (?:younger|under|below|less|fewer)\\b`, (a) => ({ from: 0, to: a })],
    [`\\b(?:between |ages? )?${number} (?:and|to|-|–) ${number}\\b`, (a, b) => ({ from: a, to: b })],
    [`\\buntil (?:they|you) (?:turn|are) ${number}\\b`, (a) => ({ from: 0, to: a })],
  ] satisfies [string, (a: number, b: number) => Bound][]
).map(([pattern, make]) => [new RegExp(pattern, 'gi'), make]);

/** "under 25", "over 60", "at least 16", "18 or older", "between 18 and 28", "ten or more" as ranges. */
export function boundsIn(text: string): Bound[] {
  if (!/\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve)\b/i.test(text)) return [];
  const value = (word = '') => numberWords.get(word.toLowerCase()) ?? Number(word);
  return boundPatterns.flatMap(([pattern, make]) =>
    [...text.matchAll(pattern)].map((match) => make(value(match[1]), value(match[2]))),
  );
}

/** How well a unit's bounds speak of an age or amount: 1 when it lies within, 0.5 when not. */
export function boundClue(question: Question, unit: Unit, shape: Shape): number {
  if (question.age !== null) {
    const { age } = question;
    if (
      shape.bounds.length === 0 ||
      !/\b(?:age[ds]?|old(?:er)?|young(?:er)?|years?|under|over|child(?:ren)?|people|student|senior|member|adult|driver|person|applicant|patient|guest)/i.test(
        unit.text,
      )
    )
      return 0;
    return shape.bounds.some((b) => age >= b.from && age <= b.to) ? 1 : 0.5;
  }
  return question.measures.some((measure) => shape.measures.has(measure)) ? 0.7 : 0;
}

/**
 * Share of a unit's opening condition of which the question says nothing, by how strictly it limits;
 * below zero when the question tells of a case and the unit speaks of that very case.
 */
export function conditionClue(question: Question, shape: Shape, meets: (stem: string) => number): number {
  const { condition } = shape;
  if (!condition || condition.stems.length === 0) return 0;
  const strengths = condition.stems.map(meets);
  const mean = strengths.reduce((sum, x) => sum + x, 0) / strengths.length;
  const met = 0.35 * Math.max(...strengths) + 0.65 * mean;
  if (met > 0.5 && condition.limits === 1 && tellsCase.test(question.text)) return -met;
  return condition.limits * (1 - met);
}

/** "What if …", "when I …", "my parcel is …", "I have lost …". */
const tellsCase =
  /(?<=\S )(?:if|when)\b|^(?:hi,? |hello,? )?(?:i|my|the|we|our|there|it|someone|somebody)\b/i;

export const subjectClue = (shape: Shape, meets: (stem: string) => number) =>
  shape.pointsBack
    ? 0.6
    : shape.subject.reduce((best, stem, n) => Math.max(best, meets(stem) * (n < 2 ? 1 : 0.7)), 0);

export const cellClue = (shape: Shape, meets: (stem: string) => number) =>
  yes(shape.columns.some((stems) => stems.some((stem) => meets(stem) >= 0.6)));

/** Word likeness below this says nothing. */
const UNLIKE = 0.3;

/** For each of the question's words how like the words of the index are to it: stem → 0 to 1. */
export function nearness(
  index: SearchIndex,
  word: string,
  stem: string,
  closed: boolean,
): ReadonlyMap<string, number> {
  const key = `${word}|${stem}`;
  const known = index.nearness.get(key);
  if (known) return known;
  const near = new Map<string, number>();
  const vectors = wordVectors();
  if (!closed && vectors.rank(word) !== null)
    for (const [other, otherStem] of index.vocabulary) {
      if (stopWords.has(other)) continue;
      const likeness = ((vectors.similarity(word, other) ?? 0) - UNLIKE) / (1 - UNLIKE);
      if (likeness > (near.get(otherStem) ?? 0)) near.set(otherStem, likeness);
    }
  near.set(stem, 1);
  if (index.nearness.size > 5_000) index.nearness.clear();
  index.nearness.set(key, near);
  return near;
}

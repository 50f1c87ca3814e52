import { type RefusalKey, refusals } from './refusals.ts';

type Value = string | number;
type SentenceOf<Key extends RefusalKey> =
  Key extends `${infer Part extends keyof typeof refusals}.${infer Name}`
    ? (typeof refusals)[Part][Name & keyof (typeof refusals)[Part]]
    : never;
/** The values of a sentence: `{name}` takes text, `{max, number}` a number. */
type ValuesIn<Sentence> = Sentence extends `${string}{${infer Slot}}${infer Rest}`
  ? (Slot extends `${infer Name}, number` ? Record<Name, number> : Record<Slot, string>) & ValuesIn<Rest>
  : unknown;
/** Key of a sentence without values. */
export type PlainKey = {
  [Key in RefusalKey]: unknown extends ValuesIn<SentenceOf<Key>> ? Key : never;
}[RefusalKey];

/** Key of a sentence that states a maximum. */
export type KeyWithMax = {
  [Key in RefusalKey]: { max: number } extends ValuesIn<SentenceOf<Key>>
    ? unknown extends ValuesIn<SentenceOf<Key>>
      ? never
      : Key
    : never;
}[RefusalKey];

/** A reason for a refusal: the key of its sentence, and the values filled in. */
export interface Refusal {
  readonly key: RefusalKey;
  readonly values: Readonly<Record<string, Value>>;
}
/** A refusal, or only the key of a sentence without values. */
export type Reason = PlainKey | Refusal;

/** @param values that the sentence under the key needs; the compiler names missing ones */
export const refusal = <Key extends RefusalKey>(key: Key, values: ValuesIn<SentenceOf<Key>>): Refusal => ({
  key,
  values: { ...(values as Record<string, Value>) },
});

export const refusalOf = (reason: Reason): Refusal =>
  typeof reason === 'string' ? { key: reason, values: {} } : reason;

/** @returns the sentence for people, with numbers in English format */
export function sentenceOf(reason: Reason): string {
  const { key, values } = refusalOf(reason);
  return piecesOf(templates.get(key) ?? '')
    .map((piece) => (typeof piece === 'string' ? piece : written(values[piece.name] ?? '')))
    .join('');
}

/**
 * Finds the refusal of a sentence. Schemas pass on only sentences, but answers and translations need the key.
 * @returns null for a text without a key
 */
export function refusalBehind(sentence: string): Refusal | null {
  const plain = plainKeys.get(sentence);
  if (plain) return { key: plain, values: {} };
  for (const [key, pieces] of filled) {
    const values = valuesIn(sentence, pieces);
    if (values) return { key, values };
  }
  return null;
}

interface Slot {
  name: string;
  isNumber: boolean;
}

const templates = new Map(
  Object.entries(refusals).flatMap(([part, sentences]) =>
    Object.entries(sentences).map(([name, sentence]): [RefusalKey, string] => [
      `${part}.${name}` as RefusalKey,
      sentence,
    ]),
  ),
);
const piecesOf = (template: string): (string | Slot)[] =>
  template
    .split(/(\{[^{}]*\})/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      if (!piece.startsWith('{')) return piece;
      const [name = '', kind] = piece.slice(1, -1).split(', ');
      return { name, isNumber: kind === 'number' };
    });
const ownLength = (pieces: (string | Slot)[]) =>
  pieces.reduce((all, piece) => all + (typeof piece === 'string' ? piece.length : 0), 0);
const plainKeys = new Map([...templates].map(([key, template]) => [template, key]));
/** Sentences with the most fixed text first: one with only a slot would match everything. */
const filled = [...templates]
  .map(([key, template]): [RefusalKey, (string | Slot)[]] => [key, piecesOf(template)])
  .filter(([, pieces]) => pieces.length > 1)
  .sort(([, one], [, other]) => ownLength(other) - ownLength(one));

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });
const written = (value: Value): string => (typeof value === 'number' ? numbers.format(value) : value);

/** Each slot holds the text up to the next fixed piece of the sentence, and the last one the rest. */
function valuesIn(sentence: string, pieces: (string | Slot)[]): Record<string, Value> | null {
  const values: Record<string, Value> = {};
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece === 'string') {
      if (!sentence.startsWith(piece, at)) return null;
      at += piece.length;
      continue;
    }
    const next = pieces[index + 1];
    const isLast = index === pieces.length - 2;
    const end =
      typeof next !== 'string'
        ? sentence.length
        : isLast
          ? sentence.length - next.length
          : sentence.indexOf(next, at);
    if (end < at) return null;
    const text = sentence.slice(at, end);
    const number = Number(text.replaceAll(',', ''));
    if (piece.isNumber && (text === '' || Number.isNaN(number))) return null;
    values[piece.name] = piece.isNumber ? number : text;
    at = end;
  }
  return at === sentence.length ? values : null;
}

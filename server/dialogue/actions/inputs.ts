import type { LanguagePack } from '#server/languages/contract';
import type { SaidInput } from '#server/languages/wording';
import { matchesWhole, type Work } from '#server/lib/linear-pattern';
import { type ActionInput, MAX_INPUT_CHARACTERS } from '#shared/actions';
import type { AgentAction } from '../contract.ts';

export type Given = Readonly<Record<string, string>>;

/** Pattern steps per message: a fiftieth of a second, whatever the business's pattern and the customer's text. */
const STEPS = 600_000;
/** Numbers and codes tried per message, the likeliest first. */
const MAX_VALUES = 40;

export const workOfAMessage = (): Work => ({ left: STEPS });

/**
 * A value in the form of its input; null if invalid. A pattern is tested on the value as it is and in capitals, since
 * speech has no case.
 */
export function checkedValue({ type, pattern }: ActionInput, value: string, work: Work): string | null {
  const text = value.trim();
  if (!text || text.length > MAX_INPUT_CHARACTERS || !isOfType(type, text)) return null;
  if (!pattern) return text;
  const forms = new Set([text, text.toUpperCase(), text.replace(/[\s-]/g, '')]);
  return [...forms].find((each) => matchesWhole(pattern, each, work)) ?? null;
}

const shapes: Record<ActionInput['type'], RegExp> = {
  text: /./s,
  digits: /^\d+$/,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  phone: /^\+?[\d\s().\-/]{5,25}$/,
  date: /^\d{4}-\d\d-\d\d$/,
};
const isOfType = (type: ActionInput['type'], text: string) =>
  shapes[type].test(text) && (type !== 'date' || !Number.isNaN(Date.parse(text)));

/**
 * The values of action inputs in one message. Results are cached, and pattern work is counted for all of them together:
 * when it is used up, further inputs are asked for.
 */
export class SaidValues {
  readonly #text: string;
  readonly #language: LanguagePack;
  readonly #today: Date;
  readonly #work = workOfAMessage();
  /** By type, and whether it was asked for. */
  readonly #values = new Map<string, string[]>();
  /** By input, and whether it was asked for. */
  readonly #found = new Map<string, string | null>();

  constructor(text: string, language: LanguagePack, today = new Date()) {
    this.#text = text;
    this.#language = language;
    this.#today = today;
  }

  /** The value said for an input; null if none fits. */
  for(input: ActionInput, isAsked: boolean): string | null {
    const wanted = JSON.stringify([input.type, input.pattern, isAsked]);
    const known = this.#found.get(wanted);
    if (known !== undefined) return known;
    const value = this.#look(input, isAsked);
    this.#found.set(wanted, value);
    return value;
  }

  /**
   * The values of inputs that were not asked for. With several inputs of one type, none is filled, since the value
   * could belong to either.
   */
  unasked(inputs: readonly ActionInput[]): Given {
    return Object.fromEntries(
      inputs.flatMap((input) => {
        const isOnly = inputs.every((other) => other === input || !isAlike(input, other));
        const value = isOnly ? this.for(input, false) : null;
        return value === null ? [] : [[input.name, value]];
      }),
    );
  }

  #look(input: ActionInput, isAsked: boolean): string | null {
    // Any words may be the value: then only a whole answer counts.
    const isFree = input.type === 'text' && input.pattern === undefined;
    if (isFree && !isAsked) return null;
    const values = this.#valuesOf(input.type, isAsked);
    for (const value of isFree ? values.slice(-1) : values) {
      const checked = checkedValue(input, value, this.#work);
      if (checked !== null) return checked;
    }
    return null;
  }

  #valuesOf(type: ActionInput['type'], isAsked: boolean): string[] {
    const looked = `${type} ${isAsked}`;
    let values = this.#values.get(looked);
    if (!values) {
      const all = this.#language.messages.valuesIn(this.#text, { type, isAsked, today: this.#today });
      // The whole answer comes last.
      values = all.length > MAX_VALUES ? [...all.slice(0, MAX_VALUES - 1), ...all.slice(-1)] : all;
      this.#values.set(looked, values);
    }
    return values;
  }
}

const isAlike = (one: ActionInput, other: ActionInput) =>
  one.type === other.type && (one.pattern === undefined || one.pattern === other.pattern);

/** The first required input without a value. */
export const missingInput = ({ inputs }: AgentAction, given: Given): ActionInput | undefined =>
  inputs.find(({ name, required }) => required && given[name] === undefined);

/** The given values, as they are read back. */
export const readBack = ({ inputs }: AgentAction, given: Given): SaidInput[] =>
  inputs.flatMap(({ name, label }) => {
    const value = given[name];
    return value === undefined ? [] : [{ label, value }];
  });

/** The key under which a value also fills inputs of other actions. */
export const knownAs = ({ type, label }: ActionInput) => `${type} ${label.toLowerCase()}`;

/** Shorter values occur in many messages by chance. */
const MIN_TELLING = 3;

/** Whether a message contains a value, however it was said. */
export function holdsValue(
  text: string,
  input: ActionInput,
  value: string,
  { messages }: LanguagePack,
  work: Work,
  now = new Date(),
): boolean {
  const bare = (words: string) => words.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
  const wanted = bare(value);
  if (wanted.length >= MIN_TELLING && bare(messages.withFigures(text)).includes(wanted)) return true;
  const values = messages.valuesIn(text, { type: input.type, isAsked: true, today: now });
  return values.some((each) => checkedValue(input, each, work) === value);
}

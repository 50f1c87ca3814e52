import type { LanguagePack } from '#server/languages/contract';
import type { SaidInput } from '#server/languages/wording';
import { type ActionInput, MAX_INPUT_CHARACTERS } from '#shared/actions';
import type { AgentAction } from '../contract.ts';
import { matchesPattern } from './pattern.ts';

export type Given = Readonly<Record<string, string>>;

/**
 * What a value is as its input wants it; null where it is none. A pattern is compared with the value as it is and in
 * capitals, since nobody hears those.
 */
export function checkedValue({ type, pattern }: ActionInput, value: string): string | null {
  const text = value.trim();
  if (!text || text.length > MAX_INPUT_CHARACTERS || !isOfType(type, text)) return null;
  if (!pattern) return text;
  return (
    [text, text.toUpperCase(), text.replace(/[\s-]/g, '')].find((each) => matchesPattern(pattern, each)) ??
    null
  );
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

/** What a message says for an input; null where it says nothing that fits. */
export function valueFor(
  input: ActionInput,
  text: string,
  { messages }: LanguagePack,
  isAsked: boolean,
  now = new Date(),
): string | null {
  // Any words may be meant: then only all of an answer are.
  const isFree = input.type === 'text' && input.pattern === undefined;
  if (isFree && !isAsked) return null;
  const values = messages.valuesIn(text, { type: input.type, isAsked, today: now });
  for (const value of isFree ? values.slice(-1) : values) {
    const checked = checkedValue(input, value);
    if (checked !== null) return checked;
  }
  return null;
}

/** Values of so few letters and figures stand in many messages. */
const MIN_TELLING = 3;

/** Whether a message holds a value, however it was said. */
export function holdsValue(
  text: string,
  input: ActionInput,
  value: string,
  { messages }: LanguagePack,
  now = new Date(),
): boolean {
  const bare = (words: string) => words.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
  const wanted = bare(value);
  if (wanted.length >= MIN_TELLING && bare(messages.withFigures(text)).includes(wanted)) return true;
  const values = messages.valuesIn(text, { type: input.type, isAsked: true, today: now });
  return values.some((each) => checkedValue(input, each) === value);
}

/** What a message says for inputs that nobody asked for. Of several of one type none is: which one it is for cannot be told. */
export function valuesUnasked(inputs: readonly ActionInput[], text: string, language: LanguagePack): Given {
  return Object.fromEntries(
    inputs.flatMap((input) => {
      const isOnly = inputs.every((other) => other === input || !isAlike(input, other));
      const value = isOnly ? valueFor(input, text, language, false) : null;
      return value === null ? [] : [[input.name, value]];
    }),
  );
}

const isAlike = (one: ActionInput, other: ActionInput) =>
  one.type === other.type && (one.pattern === undefined || one.pattern === other.pattern);

/** The first input that must be known and is not. */
export const missingInput = ({ inputs }: AgentAction, given: Given): ActionInput | undefined =>
  inputs.find(({ name, required }) => required && given[name] === undefined);

/** What was given, as it is read back. */
export const readBack = ({ inputs }: AgentAction, given: Given): SaidInput[] =>
  inputs.flatMap(({ name, label }) => {
    const value = given[name];
    return value === undefined ? [] : [{ label, value }];
  });

/** Under this name a value holds for the inputs of other actions, too. */
export const knownAs = ({ type, label }: ActionInput) => `${type} ${label.toLowerCase()}`;

import { packOf } from '#server/languages/index';
import type { Instructions } from '#server/languages/instructions';
import {
  type FixedAnswer,
  MAX_ABOUT_CHARACTERS,
  MAX_AVOIDED_CHARACTERS,
  MAX_SAYINGS,
  type Sayings,
} from '#shared/sayings';
import type { AgentProfile } from './contract.ts';

/** What an agent does by the letter. */
export interface AgentInstructions extends Instructions {
  /** What its business has it say word for word, found by meaning; `says` is what prompts have it say. */
  answers: readonly FixedAnswer[];
}

/** Reads the fields in which a business decided what its agent says, and in its prompts what it decided in none. */
export function instructionsOf({
  prompts,
  language,
  sayings = {},
}: Pick<AgentProfile, 'prompts' | 'language' | 'sayings'>): AgentInstructions {
  const { greeting, goodbye, answers, neverSay, handOverWhen } = sayings;
  const isDecided = greeting !== undefined && goodbye !== undefined && answers && neverSay && handOverWhen;
  const read = isDecided ? NOTHING : packOf(language).instructionsIn(prompts);
  return {
    greeting: greeting === undefined ? read.greeting : greeting || null,
    goodbye: goodbye === undefined ? read.goodbye : goodbye || null,
    says: answers ? [] : read.says,
    answers: answers ?? [],
    handsOver: handOverWhen ?? read.handsOver,
    neverSays: neverSay ?? read.neverSays,
  };
}

/** What an agent's prompts say that there are fields for, to be decided by its business. */
export function sayingsInPrompts(agent: Pick<AgentProfile, 'prompts' | 'language'>): Sayings {
  const { greeting, goodbye, says, handsOver, neverSays } = packOf(agent.language).instructionsIn(
    agent.prompts,
  );
  return {
    greeting: greeting ?? '',
    goodbye: goodbye ?? '',
    answers: joined(says).slice(0, MAX_SAYINGS),
    neverSay: short(neverSays, MAX_AVOIDED_CHARACTERS),
    handOverWhen: short(handsOver, MAX_ABOUT_CHARACTERS),
  };
}

/** As far as there is room for them. */
const short = (texts: readonly string[], max: number) =>
  [...new Set(texts)].filter((text) => text.length <= max).slice(0, MAX_SAYINGS);

/** What is said to several things is one answer. */
function joined(says: Instructions['says']): FixedAnswer[] {
  const abouts = new Map<string, Set<string>>();
  for (const { when, text } of says) abouts.set(text, (abouts.get(text) ?? new Set()).add(when));
  return [...abouts].map(([say, about]) => ({
    about: [...about].join('\n').slice(0, MAX_ABOUT_CHARACTERS),
    say,
  }));
}

const NOTHING: Instructions = { greeting: null, goodbye: null, says: [], handsOver: [], neverSays: [] };

import { packOf } from '#server/languages/index';
import type { Instructions } from '#server/languages/instructions';
import type { FixedAnswer } from '#shared/sayings';
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

const NOTHING: Instructions = { greeting: null, goodbye: null, says: [], handsOver: [], neverSays: [] };

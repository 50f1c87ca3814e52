import { packOf } from '#server/languages/index';
import type { Instructions } from '#server/languages/instructions';
import type { FixedAnswer } from '#shared/sayings';
import type { AgentProfile } from './contract.ts';

/** The instructions that an agent follows literally. */
export interface AgentInstructions extends Instructions {
  /** Fixed answers of its business, found by meaning; `says` are those in prompts. */
  answers: readonly FixedAnswer[];
}

/** Reads the fields of decided sayings, and the prompts for undecided ones. */
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

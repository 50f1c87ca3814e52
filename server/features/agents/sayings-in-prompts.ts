import { packOf } from '#server/languages/index';
import type { Instructions } from '#server/languages/instructions';
import type { PromptsToRead } from '#shared/agents';
import {
  type FixedAnswer,
  MAX_ABOUT_CHARACTERS,
  MAX_AVOIDED_CHARACTERS,
  MAX_SAYINGS,
  type Sayings,
} from '#shared/sayings';

/** Texts in an agent's prompts that have a field of their own, for its business to decide about. */
export function sayingsInPrompts({ prompts, language }: PromptsToRead): Sayings {
  const { greeting, goodbye, says, handsOver, neverSays } = packOf(language).instructionsIn(prompts);
  return {
    greeting: greeting ?? '',
    goodbye: goodbye ?? '',
    answers: joined(says).slice(0, MAX_SAYINGS),
    neverSay: short(neverSays, MAX_AVOIDED_CHARACTERS),
    handOverWhen: short(handsOver, MAX_ABOUT_CHARACTERS),
  };
}

/** As many as fit. */
const short = (texts: readonly string[], max: number) =>
  [...new Set(texts)].filter((text) => text.length <= max).slice(0, MAX_SAYINGS);

/** Several triggers with one text are one answer. */
function joined(says: Instructions['says']): FixedAnswer[] {
  const abouts = new Map<string, Set<string>>();
  for (const { when, text } of says) abouts.set(text, (abouts.get(text) ?? new Set()).add(when));
  return [...abouts].map(([say, about]) => ({
    about: [...about].join('\n').slice(0, MAX_ABOUT_CHARACTERS),
    say,
  }));
}

import type { AgentProfile } from '#server/dialogue/contract';
import { everyWayOfFigures, packOf } from '#server/languages/index';
import { DEFAULT_LANGUAGE, DEFAULT_MASKS, type Mask, maskSchema } from '#shared/agents';
import { mask } from './mask.ts';

/** What a customer said, without what their agent's business wants left out. */
export interface MaskedText {
  text: string;
  /** Something was left out: the sound of it must not be kept either. */
  isMasked: boolean;
}

/**
 * Leaves out of what customers say what must be neither kept nor read by any model, in whatever language they say it: people
 * dictate numbers in their own. Its agent is asked for only where there is something that some agent would leave out.
 * @param agentOf what it is said to
 * @throws what `agentOf` throws
 */
export async function masked(text: string, agentOf: () => Promise<AgentProfile>): Promise<MaskedText> {
  if (!inEveryLanguage(text, maskSchema.options, DEFAULT_LANGUAGE).isMasked) return { text, isMasked: false };
  return maskedFor(text, await agentOf());
}

/** The same, for an agent that is known. */
export const maskedFor = (text: string, { masks = DEFAULT_MASKS, language }: AgentProfile): MaskedText =>
  inEveryLanguage(text, masks, language);

function inEveryLanguage(said: string, masks: readonly Mask[], language: string): MaskedText {
  const { maskedAs } = packOf(language).messages;
  return everyWayOfFigures().reduce<MaskedText>(
    (before, withFigures) => {
      const { text, isMasked } = mask(before.text, masks, { withFigures, maskedAs });
      return isMasked ? { text, isMasked } : before;
    },
    { text: said, isMasked: false },
  );
}

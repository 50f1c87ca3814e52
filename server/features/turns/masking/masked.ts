import type { AgentProfile } from '#server/dialogue/contract';
import { everyWayOfFigures, packOf } from '#server/languages/index';
import { DEFAULT_LANGUAGE, DEFAULT_MASKS, type Mask, maskSchema } from '#shared/agents';
import { mask } from './mask.ts';

/** A customer's words without the data that their agent masks. */
export interface MaskedText {
  text: string;
  /** A part was masked: its sound must not be stored either. */
  isMasked: boolean;
}

/**
 * Masks data in customers' words that must neither be stored nor read by any model. Checks every language, since people
 * dictate numbers in their own. Looks up the agent only if some agent could mask a part.
 * @param agentOf finds the agent addressed
 * @throws errors of `agentOf`
 */
export async function masked(text: string, agentOf: () => Promise<AgentProfile>): Promise<MaskedText> {
  if (!inEveryLanguage(text, maskSchema.options, DEFAULT_LANGUAGE).isMasked) return { text, isMasked: false };
  return maskedFor(text, await agentOf());
}

/** The same for a known agent. */
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

import type { AgentProfile } from '#server/dialogue/contract';
import { packOf } from '#server/languages/index';
import { DEFAULT_LANGUAGE, DEFAULT_MASKS, maskSchema } from '#shared/agents';
import { mask } from './mask.ts';

/** What a customer said, without what their agent's business wants left out. */
export interface MaskedText {
  text: string;
  /** Something was left out: the sound of it must not be kept either. */
  isMasked: boolean;
}

/**
 * Leaves out of what customers say what must be neither kept nor read by any model. Its agent is asked for only where
 * there is something that some agent would leave out.
 * @param agentOf what it is said to
 * @throws what `agentOf` throws
 */
export async function masked(text: string, agentOf: () => Promise<AgentProfile>): Promise<MaskedText> {
  const said = { text, isMasked: false };
  if (!mask(text, maskSchema.options, packOf(DEFAULT_LANGUAGE).messages).isMasked) return said;
  const { masks = DEFAULT_MASKS, language } = await agentOf();
  return mask(text, masks, packOf(language).messages);
}

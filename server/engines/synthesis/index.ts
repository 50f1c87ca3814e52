import type { Config } from '#server/settings/config';
import type { SynthesisEngine } from './contract.ts';
import { createOpenAiSynthesis } from './openai-compatible.ts';
import { createPiper, type PiperOptions } from './piper.ts';
import { rememberSpoken } from './spoken-before.ts';

/**
 * The voice that the settings name, or the embedded one, which works once its weights are there; see
 * `status()`.
 */
export const createSynthesis = (
  options: PiperOptions & Partial<Pick<Config, 'speechSynthesis'>>,
): SynthesisEngine =>
  rememberSpoken(
    options.speechSynthesis ? createOpenAiSynthesis(options.speechSynthesis) : createPiper(options),
  );

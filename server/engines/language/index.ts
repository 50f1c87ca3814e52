import type { Config } from '#server/config';
import type { LanguageEngine } from './contract.ts';
import { createOpenAiCompatible } from './openai-compatible.ts';

/** The generative model that the settings name, or null: then the grounded responder answers. */
export function createLanguage(config: Pick<Config, 'languageModel'>): LanguageEngine | null {
  return config.languageModel ? createOpenAiCompatible(config.languageModel) : null;
}

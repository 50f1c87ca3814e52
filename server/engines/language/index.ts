import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { withoutTrailingSlashes } from '#server/lib/trailing-slashes';
import type { Config } from '#server/settings/config';
import { adaptingFetch } from './adapting-fetch.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { type LanguageEngine, unknownHabits } from './contract.ts';
import { ownLanguage } from './own/own-language.ts';
import type { OwnModels } from './own/own-models.ts';
import { languageEngine } from './provided-model.ts';

type ModelSettings = Exclude<Config['languageModels'][number], { kind: 'own' }>;

/**
 * The generative models that the settings name, in the order in which they are asked; with none the grounded
 * responder answers.
 */
export const createModels = (
  { languageModels }: Pick<Config, 'languageModels'>,
  own: OwnModels,
): LanguageEngine[] =>
  languageModels.map((settings) =>
    settings.kind === 'own' ? ownLanguage(settings, own) : createModel(settings),
  );

/** @param waits replaces the usual timeouts, in milliseconds */
export function createModel(
  settings: ModelSettings,
  waits: { firstPieceMs?: number; nextPieceMs?: number; allMs?: number; thinkingMs?: number } = {},
): LanguageEngine {
  const { model, apiKey } = settings;
  const habits = unknownHabits();
  const fetch = adaptingFetch(boundedFetch, habits);
  if (settings.kind === 'anthropic')
    return languageEngine({
      name: model,
      model: createAnthropic({ apiKey: settings.apiKey, fetch, ...at(settings.baseUrl) })(model),
      settings: { address: 'ANTHROPIC_API_KEY', model: 'ANTHROPIC_MODEL', key: 'ANTHROPIC_API_KEY' },
      checking: settings.checking,
      habits,
      ...waits,
    });
  const server = createOpenAICompatible({
    name: 'server',
    baseURL: withoutTrailingSlashes(settings.baseUrl),
    includeUsage: true,
    fetch,
    ...(apiKey ? { apiKey } : {}),
  });
  return languageEngine({
    name: model,
    model: server.chatModel(model),
    settings: { address: 'LLM_BASE_URL', model: 'LLM_MODEL', key: 'LLM_API_KEY' },
    checking: settings.checking,
    habits,
    ...waits,
  });
}

const at = (baseURL: string | null) => (baseURL === null ? {} : { baseURL });

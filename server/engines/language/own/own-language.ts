import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { EngineError } from '#server/lib/engine-error';
import type { OwnModelSettings } from '#server/settings/config';
import { adaptingFetch } from '../adapting-fetch.ts';
import { boundedFetch } from '../bounded-fetch.ts';
import { type LanguageEngine, unknownHabits } from '../contract.ts';
import { languageEngine } from '../provided-model.ts';
import type { OwnModel, OwnModels } from './own-models.ts';

/** Placeholder address: the real one is known only when the model is asked. */
const NOWHERE = 'http://own.invalid';

/**
 * A model on this machine behind the usual contract. While it is fetched, loads or restarts, it fails at once
 * with a sentence that says so, and the next engine answers.
 */
export function ownLanguage(settings: OwnModelSettings, models: OwnModels): LanguageEngine {
  const habits = unknownHabits();
  let used: ReturnType<OwnModels['use']> | null = null;
  let underWay = 0;
  let isLeaving = false;
  const model = (): OwnModel => {
    const running = used?.model ?? models.inUse(settings);
    if (!running)
      throw new EngineError('It is tried once it is in use: save it first.', { retryable: false });
    return running;
  };
  const releaseIfUnused = () => {
    if (isLeaving && underWay === 0) used?.release();
  };
  const toServer: typeof fetch = (input, init) => {
    const { url, key } = model().current();
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${key}`);
    return boundedFetch(String(input).replace(NOWHERE, url), { ...init, headers });
  };
  const server = createOpenAICompatible({
    name: 'own',
    baseURL: `${NOWHERE}/v1`,
    includeUsage: true,
    fetch: adaptingFetch(toServer, habits),
  });
  const engine = languageEngine({
    name: settings.model,
    model: server.chatModel(settings.model),
    settings: { address: 'LLM_OWN_MODEL', model: 'LLM_OWN_MODEL', key: 'LLM_OWN_MODEL' },
    checking: settings.checking,
    habits,
  });
  return {
    ...engine,
    async *stream(request) {
      underWay++;
      try {
        const running = model();
        running.current();
        for await (const event of engine.stream(request)) {
          if (event.type === 'end') running.worked();
          yield event;
        }
      } finally {
        underWay--;
        releaseIfUnused();
      }
    },
    here: {
      begin: () => {
        used ??= models.use(settings);
      },
      status: () => model().status(),
      leave: () => {
        isLeaving = true;
        releaseIfUnused();
      },
    },
  };
}

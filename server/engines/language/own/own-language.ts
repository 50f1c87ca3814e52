import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { EngineError } from '#server/lib/engine-error';
import type { OwnModelSettings } from '#server/settings/config';
import { adaptingFetch } from '../adapting-fetch.ts';
import { boundedFetch } from '../bounded-fetch.ts';
import { type LanguageEngine, unknownHabits } from '../contract.ts';
import { languageEngine } from '../provided-model.ts';
import type { OwnModel, OwnModels } from './own-models.ts';

/** Stands where the address of a server stands: which one it is, is known when it is asked. */
const NOWHERE = 'http://own.invalid';

/**
 * A model that runs on this machine, asked as any server is. While it is fetched, loads or starts again it fails at once with the
 * sentence that says so, so that the next engine answers.
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

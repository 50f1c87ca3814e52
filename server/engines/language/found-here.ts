import { z } from 'zod';
import { readAtMost } from '#server/lib/read-at-most';
import { timeLimit, untilAborted } from '#server/lib/wait';
import type { FoundServer } from '#shared/engine-settings';

const openAiModels = z.object({
  data: z.array(z.object({ id: z.string(), owned_by: z.string().optional() })),
});
const ollamaTags = z.object({ models: z.array(z.object({ name: z.string() })) });

interface UsualServer {
  label: string;
  port: number;
  /** Path that lists the models. */
  path: string;
  /** Their names; null if another program answered. */
  modelsIn(answer: unknown): string[] | null;
}

/** Models of an OpenAI-compatible server, if it names `owner` as their owner. */
const ownedBy =
  (owner: string) =>
  (answer: unknown): string[] | null => {
    const { data } = openAiModels.safeParse(answer);
    if (!data?.data.some((model) => model.owned_by === owner)) return null;
    return data.data.map(({ id }) => id);
  };

/** Usual addresses of locally run servers. */
const usualServers: readonly UsualServer[] = [
  {
    label: 'Ollama',
    port: 11_434,
    path: '/api/tags',
    modelsIn: (answer) => ollamaTags.safeParse(answer).data?.models.map(({ name }) => name) ?? null,
  },
  { label: 'llama.cpp', port: 8_080, path: '/v1/models', modelsIn: ownedBy('llamacpp') },
  { label: 'vLLM', port: 8_000, path: '/v1/models', modelsIn: ownedBy('vllm') },
];

/** Long enough on loopback. */
const WAIT_MS = 300;
const MAX_BYTES = 1_000_000;
const MAX_MODELS = 100;
const MAX_NAME = 200;

/**
 * Finds language servers at their usual addresses on this machine. Only asks each for its list of models.
 * Never rejects.
 * @param addresses other ports, for tests @param waitMs longest wait for an answer; longer in tests on a busy
 * machine
 */
export async function findServersHere(
  signal: AbortSignal,
  addresses: (server: UsualServer) => string = ({ port }) => `http://127.0.0.1:${port}`,
  waitMs = WAIT_MS,
): Promise<FoundServer[]> {
  const found = await Promise.all(
    usualServers.map(async (server) => {
      const address = addresses(server);
      const answer = await jsonFrom(`${address}${server.path}`, waitMs, signal).catch(() => null);
      const models = server.modelsIn(answer)?.filter((name) => name.length <= MAX_NAME);
      if (!models || models.length === 0) return [];
      return [{ label: server.label, baseUrl: `${address}/v1`, models: models.slice(0, MAX_MODELS) }];
    }),
  );
  return found.flat();
}

async function jsonFrom(url: string, waitMs: number, signal: AbortSignal): Promise<unknown> {
  const ends = AbortSignal.any([signal, timeLimit(waitMs)]);
  const response = await untilAborted(fetch(url, { redirect: 'error', signal: ends }), ends);
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    return null;
  }
  // After the headers arrived, only this still applies the signal to the body.
  const answer = await untilAborted(readAtMost(response.body, MAX_BYTES), ends);
  return answer && JSON.parse(answer.toString());
}

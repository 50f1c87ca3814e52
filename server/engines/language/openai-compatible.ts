import { z } from 'zod';
import { EngineError } from '#server/engines/engine-error';
import type { CompletionRequest, LanguageEngine } from './contract.ts';
import { eventData } from './server-sent-events.ts';

interface OpenAiCompatibleOptions {
  /** Base address such as http://127.0.0.1:11434/v1 */
  baseUrl: string;
  model: string;
  apiKey: string | null;
  /** Longest wait for the first piece of text, in milliseconds: a local model may have to load. */
  firstTokenTimeout?: number;
  /** Longest wait between two pieces, in milliseconds. */
  nextTokenTimeout?: number;
}

const MAX_TOKENS = 400;

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish() }).nullish(),
        message: z.object({ content: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
  // Many servers send it unasked with the last chunk; some refuse a request that asks.
  usage: z
    .object({
      prompt_tokens: z.number().int().nonnegative(),
      completion_tokens: z.number().int().nonnegative(),
    })
    .nullish()
    .catch(null),
  error: z.unknown().optional(),
});

/**
 * Any server that speaks OpenAI's chat completions with streaming: OpenAI, Ollama, vLLM, llama.cpp and others.
 * Errors are sentences that are safe to show; neither the key nor what a server answered is ever part of one.
 */
export function createOpenAiCompatible(options: OpenAiCompatibleOptions): LanguageEngine {
  const { baseUrl, model, apiKey, firstTokenTimeout = 30_000, nextTokenTimeout = 15_000 } = options;
  const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`;
  return {
    name: model,
    async *stream(request: CompletionRequest) {
      request.signal.throwIfAborted();
      const clock = deadline(firstTokenTimeout);
      const signal = AbortSignal.any([request.signal, clock.signal]);
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'text/event-stream',
            ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
          },
          body: JSON.stringify({
            model,
            stream: true,
            temperature: 0.2,
            max_tokens: MAX_TOKENS,
            messages: [{ role: 'system', content: request.instructions }, ...request.messages],
          }),
          // As in openai-request.ts: the settings name the server, and nobody else does.
          redirect: 'error',
          signal,
        });
        if (!response.ok) {
          await response.body?.cancel();
          throw refused(response.status);
        }
        if (!response.body) throw unreadable();
        let said = false;
        let used: ReturnType<typeof readChunk>['usage'] = null;
        for await (const data of eventData(response.body)) {
          if (data.trim() === '[DONE]') break;
          const { text, usage } = readChunk(data);
          used = usage ?? used;
          if (!text) continue;
          said = true;
          // The time a listener takes is not the model's.
          clock.stop();
          yield text;
          clock.restart(nextTokenTimeout);
        }
        if (used) request.onUsage?.(used.prompt_tokens, used.completion_tokens);
        if (!said) throw new EngineError('The language model gave no answer.', { retryable: true });
      } catch (error) {
        request.signal.throwIfAborted();
        if (error instanceof EngineError) throw error;
        if (clock.signal.aborted)
          throw new EngineError('The language model took too long to answer.', { retryable: true });
        throw new EngineError('The language model cannot be reached.', { retryable: true, cause: error });
      } finally {
        clock.stop();
      }
    },
  };
}

/** A clock that aborts unless it is started again in time. */
function deadline(ms: number) {
  const controller = new AbortController();
  const ring = () => controller.abort(new Error('Time is up.'));
  let timer = setTimeout(ring, ms);
  return {
    signal: controller.signal,
    restart(next: number) {
      clearTimeout(timer);
      timer = setTimeout(ring, next);
    },
    stop: () => clearTimeout(timer),
  };
}

function readChunk(data: string) {
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch (cause) {
    throw new EngineError('The language model sent an answer that cannot be read.', {
      retryable: true,
      cause,
    });
  }
  const chunk = chunkSchema.safeParse(json);
  if (!chunk.success) throw unreadable();
  if (chunk.data.error !== undefined && chunk.data.error !== null)
    throw new EngineError('The language model reported an error.', { retryable: true });
  const choice = chunk.data.choices?.[0];
  const text = choice?.delta?.content ?? choice?.message?.content ?? '';
  return { text, usage: chunk.data.usage ?? null };
}

const unreadable = () =>
  new EngineError('The language model sent an answer that cannot be read.', { retryable: true });

function refused(status: number): EngineError {
  if (status === 401 || status === 403)
    return new EngineError('The language model refused the server’s key (LLM_API_KEY).', {
      retryable: false,
    });
  if (status === 404)
    return new EngineError('The language model was not found (LLM_BASE_URL, LLM_MODEL).', {
      retryable: false,
    });
  if (status === 429) return new EngineError('The language model is busy.', { retryable: true });
  if (status >= 500) return new EngineError('The language model has a problem.', { retryable: true });
  return new EngineError('The language model refused the request.', { retryable: false });
}

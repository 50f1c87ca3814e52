import {
  APICallError,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3Message,
  type LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import { EngineError, ProviderComplaint } from '#server/lib/engine-error';
import { untilAborted } from '#server/lib/wait';
import type { Checking } from '#shared/engine-settings';
import { deadline } from './clock.ts';
import type {
  ChatMessage,
  CompletionEvent,
  CompletionRequest,
  LanguageEngine,
  ModelHabits,
} from './contract.ts';

interface ProvidedModel {
  name: string;
  model: LanguageModelV3;
  checking: Checking;
  habits: ModelHabits;
  /** Names of the settings that an owner would have to correct. */
  settings: { address: string; model: string; key: string };
  /** Longest wait for the first piece, in milliseconds. */
  firstPieceMs?: number;
  /** Longest wait between two pieces, in milliseconds. */
  nextPieceMs?: number;
  /** Longest wait for the whole answer, in milliseconds. */
  allMs?: number;
  /** Longest wait for the first piece while the model reasons, in milliseconds. */
  thinkingMs?: number;
}

/** After this another model or the embedded reader answers the waiting caller. */
const FIRST_PIECE_MS = 8_000;
const NEXT_PIECE_MS = 5_000;
/** The slowest usable model finishes its longest answer sooner. */
const ALL_MS = 120_000;
/** A caller who was told to wait hardly waits longer. */
const THINKING_MS = 25_000;
/** More than any spoken answer; reasoning counts, too. The consumer stops a model that does not end. */
const MAX_TOKENS = 4_000;

/**
 * Adapts a model of the AI SDK's providers (github.com/vercel/ai, `LanguageModelV3`) to our contract. Errors
 * are sentences that are safe to show: they hold neither the key nor the server's answer.
 */
export function languageEngine(options: ProvidedModel): LanguageEngine {
  const {
    name,
    model,
    checking,
    habits,
    firstPieceMs = FIRST_PIECE_MS,
    nextPieceMs = NEXT_PIECE_MS,
    allMs = ALL_MS,
    thinkingMs = THINKING_MS,
  } = options;
  return {
    name,
    checking,
    habits,
    async *stream(request) {
      request.signal.throwIfAborted();
      const clock = deadline(firstPieceMs, allMs);
      const thinking = deadline(Math.max(thinkingMs, firstPieceMs), allMs);
      const stop = new AbortController();
      const signal = AbortSignal.any([request.signal, clock.signal, thinking.signal, stop.signal]);
      let hasAnswered = false;
      try {
        const { stream } = await untilAborted(
          Promise.resolve(model.doStream(optionsOf(request, signal))),
          signal,
        );
        for await (const part of partsOf(stream, signal)) {
          const event = eventOf(part, options);
          if (!event) continue;
          if (event.type === 'thinking') habits.thinks = true;
          else if (event.type !== 'end') {
            hasAnswered = true;
            thinking.stop();
          } else if (!hasAnswered)
            throw new EngineError('The language model gave no answer.', { retryable: true });
          // Do not count the consumer's time.
          clock.stop();
          yield event;
          if (event.type === 'end') return;
          clock.restart(nextPieceMs);
        }
        throw new EngineError('The language model broke off.', { retryable: true });
      } catch (error) {
        request.signal.throwIfAborted();
        if (error instanceof EngineError) throw error;
        if (clock.signal.aborted || thinking.signal.aborted)
          throw new EngineError('The language model took too long to answer.', { retryable: true });
        throw problemOf(error, options);
      } finally {
        clock.stop();
        thinking.stop();
        stop.abort(new Error('Nobody listens any more.'));
      }
    },
  };
}

function optionsOf(
  { instructions, knowledge, messages, tools }: CompletionRequest,
  abortSignal: AbortSignal,
): LanguageModelV3CallOptions {
  return {
    prompt: [...systemOf(instructions, knowledge), ...messages.map(messageOf)],
    temperature: 0.2,
    maxOutputTokens: MAX_TOKENS,
    abortSignal,
    ...(tools && tools.length > 0
      ? {
          tools: tools.map(({ name, description, input }) => ({
            type: 'function' as const,
            name,
            description,
            inputSchema: { type: 'object' as const, ...input },
          })),
        }
      : {}),
  };
}

/** The constant part comes first; where a server needs a hint to cache it, the hint is set. */
function systemOf(instructions: string, knowledge: string | undefined): LanguageModelV3Message[] {
  const kept = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  return [
    { role: 'system', content: instructions, ...(knowledge ? { providerOptions: kept } : {}) },
    ...(knowledge ? [{ role: 'system' as const, content: knowledge }] : []),
  ];
}

function messageOf(message: ChatMessage): LanguageModelV3Message {
  if (message.role === 'user') return { role: 'user', content: [{ type: 'text', text: message.content }] };
  if (message.role === 'tool') {
    const { call, result } = message;
    const output = { type: 'text' as const, value: result };
    return {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: call.id, toolName: call.name, output }],
    };
  }
  const calls = (message.calls ?? []).map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: jsonOf(input),
  }));
  const text = message.content ? [{ type: 'text' as const, text: message.content }] : [];
  return { role: 'assistant', content: [...text, ...calls] };
}

/** A model's own JSON, parsed if possible, to send back to it. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function eventOf(part: LanguageModelV3StreamPart, options: ProvidedModel): CompletionEvent | null {
  switch (part.type) {
    case 'text-delta':
      return part.delta === '' ? null : { type: 'text', text: part.delta };
    case 'reasoning-start':
    case 'reasoning-delta':
      return { type: 'thinking' };
    case 'tool-call':
      return {
        type: 'call',
        call: { id: part.toolCallId, name: part.toolName, input: part.input },
      };
    case 'error':
      throw problemOf(part.error, options);
    case 'finish': {
      const { unified } = part.finishReason;
      if (unified === 'error')
        throw new EngineError('The language model reported an error.', { retryable: true });
      const isCut = unified === 'length' || unified === 'content-filter';
      const reason = unified === 'tool-calls' ? 'calls' : isCut ? 'cut' : 'done';
      const { inputTokens, outputTokens } = part.usage;
      if (outputTokens.reasoning) options.habits.thinks = true;
      const usage = { input: inputTokens.total ?? null, output: outputTokens.total ?? null };
      return { type: 'end', reason, usage };
    }
    default:
      return null;
  }
}

/** The parts of a stream until the signal aborts: some providers' streams do not end with it. */
async function* partsOf<T>(stream: ReadableStream<T>, signal: AbortSignal): AsyncGenerator<T> {
  const reader = stream.getReader();
  const giveUp = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', giveUp);
    giveUp();
  }
}

function problemOf(error: unknown, { settings }: ProvidedModel): EngineError {
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  const cause = APICallError.isInstance(error) && status ? new ProviderComplaint(error.message) : error;
  const refusal = (message: string, retryable: boolean) => new EngineError(message, { retryable, cause });
  if (status === 401 || status === 403)
    return refusal(`The language model refused the server’s key (${settings.key}).`, false);
  if (status === 404)
    return refusal(`The language model was not found (${settings.address}, ${settings.model}).`, false);
  if (status === 429) return refusal('The language model is busy.', true);
  if (status !== undefined && status >= 500) return refusal('The language model has a problem.', true);
  if (status !== undefined && status >= 400) return refusal('The language model refused the request.', false);
  if (status !== undefined) return refusal('The language model sent an answer that cannot be read.', true);
  if (error instanceof Error && /JSONParse|TypeValidation|InvalidResponse|EmptyResponse/.test(error.name))
    return refusal('The language model sent an answer that cannot be read.', true);
  if (error instanceof TypeError || isNetworkFailure(error))
    return refusal('The language model cannot be reached.', true);
  return refusal('The language model reported an error.', true);
}

const isNetworkFailure = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && typeof error.code === 'string') || isNetworkFailure(error.cause));

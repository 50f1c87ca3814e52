import { askOpenAi, type OpenAiService, streamOpenAi } from '#server/engines/openai-request';
import { EngineError } from '#server/lib/engine-error';
import { startWorkerThread, type WorkerThread } from '#server/threads/worker-thread';
import type { EngineStatus } from '#shared/status';
import type { SpokenPhrase, SynthesisEngine, SynthesisRequest } from './contract.ts';
import { momentOfSilence } from './finish.ts';
import type { OpenAiSpeechMethods } from './openai-compatible.worker.ts';
import { phrasesOf } from './phrases.ts';
import { Wording } from './wording.ts';

export interface OpenAiSynthesisOptions {
  /** Base address such as https://api.openai.com/v1 */
  baseUrl: string;
  model: string;
  voice: string;
  apiKey: string | null;
  /** Longest wait for one sentence, in milliseconds. */
  timeoutMs?: number;
  /** Waits before each retry of a sentence, in milliseconds. */
  retryDelaysMs?: readonly number[];
}

interface Words extends Pick<SynthesisRequest, 'text' | 'urgency'> {
  language: string | undefined;
  /** Given out while it arrives. */
  inPieces: boolean;
}

const TIMEOUT_MS = 15_000;
/** A hundred times what scaling a sentence to its loudness takes. */
const HANG_MS = 15_000;
const RETRY_DELAYS_MS = [250];
const READY: EngineStatus = { state: 'ready', message: 'The voice is ready.' };

/**
 * Omit the language for English: every voice speaks it by default, OpenAI's own API has no such field, and a
 * strict server may reject it.
 */
const isEnglish = (language: string) => /^en(?:-|$)/i.test(language);

/**
 * Any server with OpenAI's audio speech API: OpenAI, Kokoro, Piper's and others. Requests WAV, which states
 * its rate, and plays first words while they arrive. A thread adjusts loudness and pauses to those of the
 * embedded voice.
 */
export function createOpenAiSynthesis(options: OpenAiSynthesisOptions): SynthesisEngine {
  const service: OpenAiService = {
    label: 'The voice',
    settings: { address: 'TTS_BASE_URL', model: 'TTS_MODEL', key: 'TTS_API_KEY' },
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
  };
  const closing = new AbortController();
  let thread: WorkerThread<OpenAiSpeechMethods> | null = null;
  let refusal: EngineError | null = null;

  let tickets = 0;

  async function* ask(words: Words, signal: AbortSignal): AsyncGenerator<SpokenPhrase> {
    const { text, language, urgency, inPieces } = words;
    const body = JSON.stringify({
      model: options.model,
      voice: options.voice,
      input: text,
      response_format: 'wav',
      ...(language && !isEnglish(language) ? { language } : {}),
    });
    const request = () => ({ body, contentType: 'application/json', mayWait: urgency === 'later' });
    const wav = inPieces
      ? streamOpenAi(service, '/audio/speech', request, signal)
      : [await askOpenAi(service, '/audio/speech', request, signal)];
    thread ??= startWorkerThread<OpenAiSpeechMethods>(import.meta.url, './openai-compatible.worker', {
      hangMs: HANG_MS,
      onExit: () => {
        thread = null;
      },
    });
    const finishing = thread;
    const phrase = { ticket: ++tickets, text, inPieces };
    const wording = new Wording(text);
    let isOver = false;
    try {
      for await (const part of wav) {
        const piece = await finishing.call('add', { ...phrase, wav: part }, signal);
        const spoken = piece && wording.next(piece);
        if (spoken) yield spoken;
      }
      const rest = wording.next(await finishing.call('end', phrase, signal));
      isOver = true;
      if (rest) yield rest;
    } finally {
      if (!isOver) void finishing.call('hush', phrase).catch(() => {});
    }
  }

  async function* speak(words: Words, signal: AbortSignal): AsyncGenerator<SpokenPhrase> {
    signal.throwIfAborted();
    if (!/[\p{L}\p{N}]/u.test(words.text)) return yield { text: words.text, ...momentOfSilence() };
    try {
      yield* ask(words, signal);
      refusal = null;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EngineError) {
        if (!error.retryable) refusal = error;
        throw error;
      }
      throw new EngineError(
        error instanceof Error && 'retryable' in error && error.retryable === true
          ? error.message
          : 'The voice stopped while it spoke; try again in a moment.',
        { retryable: true, cause: error },
      );
    }
  }

  return {
    name: options.model,
    status: () => (refusal ? { state: 'failed', message: refusal.message } : READY),
    async *synthesize({ text, urgency, firstWordsSoon = false, language, signal }) {
      const both = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      for (const [n, phrase] of phrasesOf(text, firstWordsSoon, language).entries()) {
        // The customer waits only for the first words; the others are made while those play.
        const first = { urgency, inPieces: firstWordsSoon };
        const words = n === 0 ? first : { urgency: 'later' as const, inPieces: false };
        yield* speak({ text: phrase, language, ...words }, both);
      }
    },
    async close() {
      closing.abort(new EngineError('The voice is switched off.', { retryable: false }));
      await thread?.finish();
    },
  };
}

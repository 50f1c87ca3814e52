import type { Sound } from '#server/audio/sound';
import { EngineError } from '#server/engines/engine-error';
import { askOpenAi, type OpenAiService } from '#server/engines/openai-request';
import { startWorkerThread, type WorkerThread } from '#server/worker-thread';
import type { EngineStatus } from '#shared/status';
import type { SynthesisEngine } from './contract.ts';
import type { OpenAiSpeechMethods } from './openai-compatible.worker.ts';
import { phrasesOf } from './phrases.ts';

export interface OpenAiSynthesisOptions {
  /** Base address such as https://api.openai.com/v1 */
  baseUrl: string;
  model: string;
  voice: string;
  apiKey: string | null;
  /** Longest wait for one sentence, in milliseconds. */
  timeoutMs?: number;
  /** Waits before a sentence is asked for again, in milliseconds. */
  retryDelaysMs?: readonly number[];
}

const TIMEOUT_MS = 15_000;
/** Bringing a sentence to its loudness takes a hundredth of it. */
const HANG_MS = 15_000;
const RETRY_DELAYS_MS = [250];
const READY: EngineStatus = { state: 'ready', message: 'The voice is ready.' };

/** Every voice speaks it unasked; OpenAI's own API has no such field, and a strict server may refuse it. */
const isEnglish = (language: string) => /^en(?:-|$)/i.test(language);

/**
 * Any server that speaks OpenAI's audio speech: OpenAI, Kokoro, Piper's and others. It is asked for WAV, which a thread
 * brings to the loudness and pauses of the embedded voice.
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

  async function ask(text: string, language: string | undefined, signal: AbortSignal): Promise<Sound> {
    const hasWords = /[\p{L}\p{N}]/u.test(text);
    const body = JSON.stringify({
      model: options.model,
      voice: options.voice,
      input: text,
      response_format: 'wav',
      ...(language && !isEnglish(language) ? { language } : {}),
    });
    const request = () => ({ body, contentType: 'application/json' });
    const wav = hasWords ? await askOpenAi(service, '/audio/speech', request, signal) : null;
    thread ??= startWorkerThread<OpenAiSpeechMethods>(import.meta.url, './openai-compatible.worker', {
      hangMs: HANG_MS,
      onExit: () => {
        thread = null;
      },
    });
    return thread.call('finish', { wav, text }, signal);
  }

  async function speak(text: string, language: string | undefined, signal: AbortSignal): Promise<Sound> {
    signal.throwIfAborted();
    try {
      const sound = await ask(text, language, signal);
      refusal = null;
      return sound;
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
    async *synthesize({ text, firstWordsSoon, language, signal }) {
      const both = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      for (const phrase of phrasesOf(text, firstWordsSoon ?? false, language))
        yield { text: phrase, ...(await speak(phrase, language, both)) };
    },
    async close() {
      closing.abort(new EngineError('The voice is switched off.', { retryable: false }));
      await thread?.finish();
    },
  };
}

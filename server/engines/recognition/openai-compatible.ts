import { z } from 'zod';
import { encodeWav } from '#server/audio/wav';
import { askOpenAi, type OpenAiService } from '#server/engines/openai-request';
import { EngineError } from '#server/lib/engine-error';
import type { EngineStatus } from '#shared/status';
import { HEARING_SAMPLE_RATE, type RecognitionEngine, type RecognitionRequest } from './contract.ts';

export interface OpenAiRecognitionOptions {
  /** Base address such as https://api.openai.com/v1 */
  baseUrl: string;
  model: string;
  apiKey: string | null;
  /** Longest wait for one answer, in milliseconds. */
  timeoutMs?: number;
  /** Waits before each retry of a final request, in milliseconds. */
  retryDelaysMs?: readonly number[];
}

const TIMEOUT_MS = 20_000;
const RETRY_DELAYS_MS = [250, 1_000];
/** The shortest recording that such servers accept, in samples: 0.1 s. */
const SHORTEST = HEARING_SAMPLE_RATE / 10;
/** Whisper invents sentences for silence; this is quieter than any microphone. */
const SILENCE_PEAK = 0.001;
const READY: EngineStatus = { state: 'ready', message: 'The ears are ready.' };

const answerSchema = z.object({ text: z.string() });

/**
 * Any server with OpenAI's audio transcriptions: OpenAI, faster-whisper, whisper.cpp and others. Each request
 * sends one WAV file. Partials cost as much as finals there, so a caller has one at a time and none is
 * retried.
 */
export function createOpenAiRecognition(options: OpenAiRecognitionOptions): RecognitionEngine {
  const service: OpenAiService = {
    label: 'The speech recognition',
    settings: { address: 'STT_BASE_URL', model: 'STT_MODEL', key: 'STT_API_KEY' },
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
  };
  const closing = new AbortController();
  const partials = new Set<string>();
  let refusal: EngineError | null = null;

  async function transcribe(
    wav: Uint8Array<ArrayBuffer>,
    language: string | undefined,
    urgency: RecognitionRequest['urgency'],
    signal: AbortSignal,
  ): Promise<string> {
    const form = () => {
      const body = new FormData();
      body.set('file', new Blob([wav], { type: 'audio/wav' }), 'speech.wav');
      body.set('model', options.model);
      body.set('response_format', 'json');
      // The API takes ISO 639-1 codes, without a region.
      if (language) body.set('language', language.split('-')[0] ?? language);
      return { body, mayWait: urgency === 'partial' };
    };
    try {
      const delays = urgency === 'final' ? service.retryDelaysMs : [];
      const answer = await askOpenAi(service, '/audio/transcriptions', form, signal, delays);
      const words = wordsOf(answer);
      refusal = null;
      return words;
    } catch (error) {
      if (error instanceof EngineError && !error.retryable) refusal = error;
      throw error;
    }
  }

  return {
    name: options.model,
    status: () => (refusal ? { state: 'failed', message: refusal.message } : READY),
    async recognize({ samples, urgency, caller, language, signal }) {
      signal?.throwIfAborted();
      closing.signal.throwIfAborted();
      if (samples.length < SHORTEST || samples.every((sample) => Math.abs(sample) < SILENCE_PEAK)) return '';
      const both = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      const wav = encodeWav(samples, HEARING_SAMPLE_RATE);
      if (urgency === 'final') return transcribe(wav, language, urgency, both);
      const whose = caller ?? '';
      if (partials.has(whose)) throw new EngineError('The ears are behind.', { retryable: true });
      partials.add(whose);
      try {
        return await transcribe(wav, language, urgency, both);
      } finally {
        partials.delete(whose);
      }
    },
    async close() {
      closing.abort(new EngineError('The ears are switched off.', { retryable: false }));
    },
  };
}

function wordsOf(answer: Uint8Array): string {
  try {
    return answerSchema.parse(JSON.parse(new TextDecoder().decode(answer))).text.trim();
  } catch (cause) {
    throw new EngineError('The speech recognition sent an answer that cannot be read.', {
      retryable: true,
      cause,
    });
  }
}

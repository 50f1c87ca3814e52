import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { keepThread } from '#server/engines/kept-thread';
import type { Weights } from '#server/engines/weights/contract';
import { EngineError } from '#server/lib/engine-error';
import { startNativeThread } from '#server/threads/native-process';
import type { WorkerThread } from '#server/threads/worker-thread';
import type { SpokenPhrase, SynthesisEngine } from './contract.ts';
import { phrasesOf } from './phrases.ts';
import type { PiperMethods, SpeakRequest } from './piper.worker.ts';
import type { PiperVoice } from './piper-model.ts';
import { type SpokenPiece, Wording } from './wording.ts';

export interface PiperOptions {
  weights: Weights;
  logger?: Pick<Logger, 'info' | 'warn'>;
  /** Default: a calm, clear speaker at a natural pace. */
  voice?: PiperVoice;
  /** Delays in milliseconds before restarts; the last one repeats. */
  restartDelaysMs?: readonly number[];
  startThread?: (onExit: (error: Error | null) => void) => WorkerThread<PiperMethods>;
}

/** Chosen from six good speakers by how well a recogniser understands it: see docs/engines.md. */
const DEFAULT_VOICE: PiperVoice = { speaker: 162, speed: 0.82, seed: 1 };
/** Two threads were measured to pay off on two cores; more were not measured. */
const MAX_THREADS = 2;

/** A single breath takes a hundredth of it; allow for other work on a busy machine. */
const HANG_MS = 15_000;

const startPiperThread: NonNullable<PiperOptions['startThread']> = (onExit) =>
  startNativeThread<PiperMethods>(import.meta.url, './piper.worker', { onExit, hangMs: HANG_MS });

/**
 * The embedded voice: Piper in a thread of its own. It starts to fetch its weights and to load at once; until
 * then, and while its thread restarts after a crash, `synthesize` rejects with a retryable EngineError that
 * says why. Text with nothing to say (only emoji, only another script) is 50 ms of silence. English only.
 */
export function createPiper(options: PiperOptions): SynthesisEngine {
  const { weights, logger } = options;
  const voice = options.voice ?? DEFAULT_VOICE;
  const startThread = options.startThread ?? startPiperThread;
  const kept = keepThread({
    weights,
    bundle: 'voice',
    logger,
    restartDelaysMs: options.restartDelaysMs,
    start: startThread,
    load: (thread, dir) =>
      thread.call('load', { dir, voice, threads: Math.min(MAX_THREADS, availableParallelism()) }),
    sentences: {
      loading: 'The voice is being loaded; text works meanwhile.',
      ready: 'The voice is ready.',
      restarting: 'The voice stopped and is starting again; text works meanwhile.',
      loadFailed: 'The voice stopped while it was loaded and is tried again; text works meanwhile.',
      off: 'The voice is switched off.',
    },
  });

  let tickets = 0;

  /** Calls the thread and turns its failures into sentences. */
  async function asked(
    ask: () => Promise<SpokenPiece>,
    signal: AbortSignal | undefined,
  ): Promise<SpokenPiece> {
    try {
      const piece = await ask();
      kept.worked();
      return piece;
    } catch (error) {
      signal?.throwIfAborted();
      throw new EngineError('The voice stopped while it spoke; try again in a moment.', {
        retryable: true,
        cause: error,
      });
    }
  }

  async function* speak(
    request: Omit<SpeakRequest, 'ticket'>,
    awaited: Promise<void> | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<SpokenPhrase> {
    signal?.throwIfAborted();
    const { state, message } = kept.status();
    // The text continues without a voice; a later request may get one, here or after a restart.
    if (state !== 'ready') throw new EngineError(message, { retryable: true });
    const thread = kept.current();
    const ticket = ++tickets;
    const wording = new Wording(request.text);
    let isOver = false;
    try {
      const speaking = asked(() => thread.call('speak', { ...request, ticket }, signal), signal);
      // A thread that stops drops its queue, so a failure here does not matter.
      awaited?.then(() => thread.call('hurry', { ticket })).catch(() => {});
      for (let piece = await speaking; ; ) {
        isOver = piece.said === 1;
        const phrase = wording.next(piece);
        if (phrase) yield phrase;
        if (isOver) return;
        piece = await asked(() => thread.call('goOn', { ticket }, signal), signal);
      }
    } finally {
      if (!isOver) void thread.call('hush', { ticket }).catch(() => {});
    }
  }

  return {
    name: 'Piper',
    status: kept.status,
    async *synthesize({ text, urgency, awaited, firstWordsSoon = false, signal }) {
      const sentences = phrasesOf(text, false);
      for (const [n, sentence] of sentences.entries()) {
        const isFirst = n === 0;
        const request = {
          text: sentence,
          // The customer waits only for the first words; the others are made while those play.
          urgency: isFirst ? urgency : ('later' as const),
          inPieces: isFirst && firstWordsSoon,
        };
        yield* speak(request, isFirst ? awaited : undefined, signal);
      }
    },
    close: () => kept.close(),
  };
}

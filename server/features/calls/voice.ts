import type { Speech, SynthesisEngine } from '#server/engines/synthesis/contract';
import type { Sentence } from './speak-in-order.ts';
import { untilAborted } from './until-aborted.ts';

export interface VoiceOptions {
  /** How long a sentence may take before it comes as text alone. */
  sentenceTimeoutMs: number;
  /** Told why a sentence could not be spoken; nobody else learns it, the customer reads the text. */
  onFailure(error: unknown): void;
}

/** The synthesis engine as calls use it: it may be slow, broken or not there yet, and no call fails for that. */
export class Voice {
  readonly #engine: SynthesisEngine;
  readonly #options: VoiceOptions;

  constructor(engine: SynthesisEngine, options: VoiceOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#engine.status().state === 'ready';
  }

  /** The voice of one reply: once it was too slow for a sentence, the others are not kept waiting for it. */
  forReply(signal: AbortSignal): { say(sentence: Sentence): Promise<Speech | null> | null } {
    let isTooSlow = false;
    return {
      say: ({ text, index }) => {
        if (isTooSlow || !this.isReady) return null;
        return this.speak(text, index === 0 ? 'first' : 'later', signal, () => {
          isTooSlow = true;
        });
      },
    };
  }

  /**
   * Speaks a text, or answers null when that fails or takes too long.
   * @throws only the signal's reason
   */
  async speak(
    text: string,
    urgency: 'first' | 'later',
    signal: AbortSignal,
    onTimeout = () => {},
  ): Promise<Speech | null> {
    signal.throwIfAborted();
    const limit = new AbortController();
    const onAbort = () => limit.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const overdue = setTimeout(() => {
      onTimeout();
      limit.abort(new Error('Speaking a sentence took too long.'));
    }, this.#options.sentenceTimeoutMs);
    try {
      return await untilAborted(
        this.#engine.synthesize({ text, urgency, signal: limit.signal }),
        limit.signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      this.#options.onFailure(error);
      return null;
    } finally {
      clearTimeout(overdue);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Speaks a text if that is quick: after `patienceMs` it answers null, and the engine goes on filling its cache.
   * Never rejects.
   */
  async speakWithin(text: string, patienceMs: number): Promise<Speech | null> {
    if (!this.isReady) return null;
    const speech = this.speak(text, 'first', new AbortController().signal);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), patienceMs);
    });
    const spoken = await Promise.race([speech, patience]);
    clearTimeout(timer);
    return spoken;
  }
}

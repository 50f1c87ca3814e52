import type { RecognitionEngine, RecognitionRequest } from '#server/engines/recognition/contract';
import { packOf } from '#server/languages/index';
import { EngineError } from '#server/lib/engine-error';
import type { RecentSound } from './sound.ts';

/** Shown when recognition fails without a sentence of its own. */
const NOT_UNDERSTOOD = 'Your speech could not be understood just now. Please say it again.';

/** Silence appended for recognition in a first pause: 64 ms. */
const SILENCE_BEHIND = 1_024;

interface TranscriptionOptions {
  recognition: RecognitionEngine;
  /** BCP 47. */
  language: string;
  /** Identifies the stream to the recognition, so that streams take turns. */
  caller: string;
  sound: RecentSound;
  /** Start of the utterance. */
  from: number;
  /** Cancels all its recognitions. */
  signal: AbortSignal;
}

/**
 * The text of a growing utterance. Sound before an earlier pause is recognised once and kept as text (a
 * *stretch*), so that the rest stays short however long the customer speaks.
 */
export class Transcription {
  readonly #recognition: RecognitionEngine;
  readonly #language: string;
  readonly #sound: RecentSound;
  readonly #signal: AbortSignal;
  /** In order; '' for one that could not be recognised, with the reason in `lost`. */
  readonly #stretches: Promise<string>[] = [];
  readonly #caller: string;
  #openFrom: number;
  #lost: unknown = null;

  constructor(options: TranscriptionOptions) {
    this.#recognition = options.recognition;
    this.#language = options.language;
    this.#caller = options.caller;
    this.#sound = options.sound;
    this.#signal = options.signal;
    this.#openFrom = options.from;
  }

  /** Start of the open part, which is recognised anew each time. */
  get openFrom(): number {
    return this.#openFrom;
  }

  /** Why a stretch could not be recognised, returned once; null if none failed. */
  takeLoss(): unknown {
    const lost = this.#lost;
    this.#lost = null;
    return lost;
  }

  /** Starts the open part here: sound that was only silence is never recognised. */
  skipTo(place: number): void {
    this.#openFrom = Math.max(this.#openFrom, place);
  }

  /**
   * Closes the open part up to a position as a stretch.
   * @param text its recognised text, if known
   * @returns resolves with its text; the sound is not needed after this call
   */
  closeStretch(upTo: number, text?: string): Promise<string> {
    const samples = text === undefined ? this.#sound.slice(this.#openFrom, upTo) : null;
    this.#openFrom = upTo;
    const stretch = samples
      ? this.#recognize(samples, 'final', this.#signal).catch((error: unknown) => {
          if (!this.#signal.aborted) this.#lost = error;
          return '';
        })
      : Promise.resolve(text ?? '');
    this.#stretches.push(stretch);
    return stretch;
  }

  /**
   * Recognises the open part up to a position.
   * @returns `open`: its text; `whole`: the text of the utterance so far
   * @throws EngineError when it cannot be recognised; the signal's reason
   */
  async read(
    upTo: number,
    urgency: RecognitionRequest['urgency'],
    signal: AbortSignal,
  ): Promise<{ open: string; whole: string }> {
    const samples = this.#sound.slice(this.#openFrom, upTo);
    const closed = [...this.#stretches];
    const open =
      samples.length > 0
        ? await this.#recognize(urgency === 'final' ? followedBySilence(samples) : samples, urgency, signal)
        : '';
    const whole = joinStretches([...(await Promise.all(closed)), open], this.#language);
    signal.throwIfAborted();
    return { open, whole };
  }

  /** Final recognitions are retried once if that can help. */
  async #recognize(
    samples: Float32Array,
    urgency: RecognitionRequest['urgency'],
    signal: AbortSignal,
  ): Promise<string> {
    const request = {
      samples,
      urgency,
      caller: this.#caller,
      language: this.#language,
      signal: AbortSignal.any([signal, this.#signal]),
    };
    try {
      return (await this.#recognition.recognize(request)).trim();
    } catch (error) {
      const again = urgency === 'final' && error instanceof EngineError && error.retryable;
      if (!again || request.signal.aborted) throw error;
      return (await this.#recognition.recognize(request)).trim();
    }
  }
}

/** Without silence after the last word, recognition takes it for a comma or half a word. */
function followedBySilence(samples: Float32Array): Float32Array {
  const longer = new Float32Array(samples.length + SILENCE_BEHIND);
  longer.set(samples);
  return longer;
}

/** Joins stretches: removes a full stop that recognition set where the customer only took a breath. */
function joinStretches(stretches: readonly string[], language: string): string {
  const { turnTaking } = packOf(language);
  return stretches
    .filter((text) => text !== '')
    .reduce((whole, next) => {
      if (whole === '') return next;
      return turnTaking.isUnfinished(whole)
        ? `${whole.replace(/(?<![.\s])[.\s]+$/, '')} ${next}`
        : `${whole} ${next}`;
    }, '');
}

/** The sentence to show when recognition failed. */
export const sentenceOf = (error: unknown) => (error instanceof EngineError ? error.message : NOT_UNDERSTOOD);

let streams = 0;
/** A unique name for a new stream. */
export const newCaller = () => `stream ${++streams}`;

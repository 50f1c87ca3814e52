import type { RecognitionEngine, RecognitionRequest } from '#server/engines/recognition/contract';
import { packOf } from '#server/languages/index';
import { EngineError } from '#server/lib/engine-error';
import type { RecentSound } from './sound.ts';

/** What somebody says when speech cannot be understood, where the engine has no better sentence. */
const NOT_UNDERSTOOD = 'Your speech could not be understood just now. Please say it again.';

/** Silence put behind what is recognised in a first pause: 64 ms. */
const SILENCE_BEHIND = 1_024;

interface TranscriptionOptions {
  recognition: RecognitionEngine;
  /** BCP 47. */
  language: string;
  /** Names the stream to the recognition, so that streams take turns. */
  caller: string;
  sound: RecentSound;
  /** Where the utterance begins. */
  from: number;
  /** Ends everything that is being recognised for it. */
  signal: AbortSignal;
}

/**
 * The text of one utterance that is still growing. What lies before a pause long ago is recognised once and kept as
 * text (a *stretch*), so that the work for the rest, and the time it takes, stay small however long somebody speaks.
 */
export class Transcription {
  readonly #recognition: RecognitionEngine;
  readonly #language: string;
  readonly #sound: RecentSound;
  readonly #signal: AbortSignal;
  /** In order. Each is '' when it could not be recognised; `lost` then says why. */
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

  /** Where the part begins that is recognised anew each time. */
  get openFrom(): number {
    return this.#openFrom;
  }

  /** Why a stretch could not be recognised, once; null when all could. */
  takeLoss(): unknown {
    const lost = this.#lost;
    this.#lost = null;
    return lost;
  }

  /** Whatever comes now begins here: sound that was only silence is never recognised. */
  skipTo(place: number): void {
    this.#openFrom = Math.max(this.#openFrom, place);
  }

  /**
   * Closes the open part up to a place as one stretch.
   * @param text what was recognised in it, when that is known
   * @returns when its text is there; the sound is needed no longer than this call
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
   * Recognises the open part up to a place.
   * @returns `open`, its text, and `whole`, the text of the utterance so far
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

  /** What a customer waits for is tried a second time where that can help. */
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

/** Recognition that hears no silence behind the last word takes it for a comma, or half a word. */
function followedBySilence(samples: Float32Array): Float32Array {
  const longer = new Float32Array(samples.length + SILENCE_BEHIND);
  longer.set(samples);
  return longer;
}

/** Puts stretches together: a full stop that recognition set where only breath was drawn is taken away. */
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

/** The sentence to show for a failure of recognition. */
export const sentenceOf = (error: unknown) => (error instanceof EngineError ? error.message : NOT_UNDERSTOOD);

let streams = 0;
/** A name for a new stream. */
export const newCaller = () => `stream ${++streams}`;

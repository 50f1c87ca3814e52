import type { SpokenUtterance, TurnTaking, TurnTakingListener } from '#server/listening/contract';

/** Begins to listen to one person. */
export type Listen = (listener: TurnTakingListener) => TurnTaking;

/** Events of one person's ears. */
export interface EarsListener {
  speaking(isSpeaking: boolean): void;
  hold(): void;
  release(): void;
  interrupt(): void;
  candidate(text: string): void;
  utterance(utterance: SpokenUtterance): void;
  /** @param text '' removes a shown segment: it was a noise */
  caption(segmentId: string, text: string, isFinal: boolean): void;
  failed(message: string): void;
}

/** Wait before listening restarts after a failure. */
const RETRY_MS = 2_000;

/**
 * The agent's ears for one person in a room: listen while the microphone is open, number the captions' segments, and
 * restart after failures.
 */
export class Ears {
  readonly #listen: Listen;
  readonly #listener: EarsListener;
  readonly #prefix: string;
  #turns: TurnTaking | null = null;
  /** Resolves when all speech before the last closing of the microphone is taken. */
  #ending: Promise<unknown> = Promise.resolve();
  #agentSays: Parameters<TurnTaking['agentSays']> = [null];
  #segment = 0;
  #isCaptioned = false;
  #isOpen = false;
  #retry: NodeJS.Timeout | undefined;

  /** @param prefix of the ids of the person's caption segments */
  constructor(listen: Listen, prefix: string, listener: EarsListener) {
    this.#listen = listen;
    this.#prefix = prefix;
    this.#listener = listener;
  }

  /** The microphone is open: sound comes from now on. */
  open(): void {
    this.#isOpen = true;
    this.#begin();
  }

  /** The microphone is closed: speech until then is taken. Resolves when it is; may be called repeatedly. */
  async shut(): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#retry);
    this.#ending = Promise.all([this.#ending, this.#turns?.end()]);
    this.#turns = null;
    await this.#ending;
  }

  /** @param samples 16 kHz, mono, -1 to 1 */
  accept(samples: Float32Array): void {
    this.#turns?.accept(samples);
  }

  /** See `TurnTaking.agentSays`; also reaches microphones opened later. */
  agentSays(...said: Parameters<TurnTaking['agentSays']>): void {
    const [text, expects] = said;
    if (text !== null && text === this.#agentSays[0] && expects === this.#agentSays[1]) return;
    this.#agentSays = said;
    this.#turns?.agentSays(...said);
  }

  close(): void {
    this.#isOpen = false;
    clearTimeout(this.#retry);
    this.#turns?.close();
    this.#turns = null;
  }

  #begin(): void {
    if (this.#turns) return;
    const turns = this.#listen(this.#hears());
    this.#turns = turns;
    if (this.#agentSays[0] !== null) turns.agentSays(...this.#agentSays);
  }

  #hears(): TurnTakingListener {
    const told = this.#listener;
    return {
      speaking: (isSpeaking) => {
        if (!isSpeaking) this.#endSegment('');
        told.speaking(isSpeaking);
      },
      partial: (text) => {
        this.#isCaptioned = true;
        told.caption(this.#segmentId, text, false);
      },
      hold: () => told.hold(),
      release: () => told.release(),
      interrupt: () => told.interrupt(),
      candidate: (text) => told.candidate(text),
      utterance: (utterance) => {
        this.#isCaptioned = true;
        this.#endSegment(utterance.text);
        told.utterance(utterance);
      },
      failed: (message, isFatal) => {
        told.failed(message);
        if (!isFatal) return;
        this.#turns = null;
        this.#endSegment('');
        told.speaking(false);
        if (this.#isOpen) this.#retry = setTimeout(() => this.#begin(), RETRY_MS);
      },
    };
  }

  get #segmentId(): string {
    return `${this.#prefix}-${this.#segment}`;
  }

  #endSegment(text: string): void {
    if (!this.#isCaptioned) return;
    this.#listener.caption(this.#segmentId, text, true);
    this.#isCaptioned = false;
    this.#segment++;
  }
}

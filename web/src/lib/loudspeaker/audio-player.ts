import { AudioOutput } from './audio-output.ts';
import { type PlayoutPosition, ReplyPlayout } from './reply-playout.ts';
import type { SoundContext } from './sound-context.ts';
import { SpeechStore } from './speech-store.ts';

/** Events at the loudspeaker. */
export type PlayerEvent =
  /** A reply begins; its first sentence follows as soon as it is decoded and sound is allowed. */
  | { type: 'reply-started'; replyId: string }
  | { type: 'sentence-started'; replyId: string; index: number }
  | { type: 'sentence-ended'; replyId: string; index: number }
  /** The reply is over: played out, stopped, or unplayable. */
  | { type: 'reply-ended'; replyId: string }
  /** The browser blocks sound until the person touches the page, or allows it again. */
  | { type: 'sound-blocked'; blocked: boolean };

/**
 * Plays replies that arrive sentence by sentence: in order, without gaps, one reply after the other.
 * Sentences may arrive out of order or late; each is decoded when its turn comes.
 */
export class AudioPlayer {
  readonly #store: SpeechStore;
  readonly #listener: (event: PlayerEvent) => void;
  readonly #output: AudioOutput;
  #playing: ReplyPlayout | null = null;
  #waiting: string[] = [];
  #pumping = false;
  #pumpAgain = false;
  #isHeld = false;
  #closed = false;

  constructor(
    listener: (event: PlayerEvent) => void,
    options: { createContext?: () => SoundContext; store?: SpeechStore } = {},
  ) {
    this.#listener = listener;
    const createContext = options.createContext ?? (() => new AudioContext({ latencyHint: 'interactive' }));
    this.#output = new AudioOutput(createContext, {
      changed: () => void this.#pump(),
      blocked: (blocked) => listener({ type: 'sound-blocked', blocked }),
      isWanted: () => this.#playing !== null,
    });
    this.#store = options.store ?? new SpeechStore();
  }

  /**
   * Takes one sentence of a reply.
   * @param audio an encoded file that the browser can decode; null for a sentence without sound, which is
   * skipped
   * @param play false only keeps it for a replay
   */
  add(replyId: string, index: number, audio: Uint8Array | null, isLast: boolean, play: boolean): void {
    if (this.#closed) return;
    this.#store.add(replyId, index, audio, isLast);
    if (play) this.#enqueue(replyId);
    void this.#pump();
  }

  /** The current reply ends with the sentences received so far. */
  expectNoMore(): void {
    if (!this.#playing) return;
    this.#store.close(this.#playing.replyId);
    void this.#pump();
  }

  /** Whether `replay` would play anything. */
  canReplay(replyId: string): boolean {
    return !this.#output.isMute && this.#store.has(replyId);
  }

  /** Plays a reply from its beginning instead of the current one. Call it from a person's own action. */
  replay(replyId: string): void {
    this.stop();
    this.#enqueue(replyId);
    void this.#pump();
  }

  /** Unlocks sound. Call it from a click or a key press. */
  unlock(): void {
    if (!this.#closed) this.#output.wake();
  }

  /**
   * Stops at once and drops queued replies.
   * @returns the playout position of the current reply; null if none was playing
   */
  stop(): PlayoutPosition | null {
    this.#waiting = [];
    this.#isHeld = false;
    const playing = this.#playing;
    if (!playing) return null;
    this.#playing = null;
    playing.hold();
    this.#output.setBlocked(false);
    this.#listener({ type: 'reply-ended', replyId: playing.replyId });
    return playing.position();
  }

  /** Pauses at once and keeps the position. Nothing plays or begins until `release` or `stop`. */
  hold(): void {
    if (this.#closed) return;
    this.#isHeld = true;
    this.#playing?.hold();
  }

  /** Resumes after `hold`, a few milliseconds earlier. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#playing?.release();
    void this.#pump();
  }

  /** Playout position of the current reply; null if none is playing. */
  position(): PlayoutPosition | null {
    return this.#playing?.position() ?? null;
  }

  /** Current loudness, 0 to 1. */
  level(): number {
    return this.#playing ? this.#output.level() : 0;
  }

  /** Ends the player for good and releases the loudspeaker. */
  async close(): Promise<void> {
    this.stop();
    this.#closed = true;
    await this.#output.close();
  }

  #enqueue(replyId: string): void {
    if (this.#playing?.replyId === replyId || this.#waiting.includes(replyId)) return;
    this.#waiting.push(replyId);
  }

  /** Schedules every sentence whose turn has come; call it after any change. */
  async #pump(): Promise<void> {
    this.#pumpAgain = true;
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#pumpAgain) {
        this.#pumpAgain = false;
        while (!this.#closed && (await this.#step()));
      }
    } finally {
      this.#pumping = false;
    }
  }

  /** One step; false when there is nothing to do until something changes. */
  async #step(): Promise<boolean> {
    if (this.#isHeld) return false;
    const playing = this.#playing ?? this.#begin();
    if (!playing) return false;
    const reply = this.#store.get(playing.replyId);
    const clip = reply?.clips.get(playing.next);
    if (clip === undefined) {
      const over = !reply || (reply.last !== null && playing.next > reply.last) || this.#waiting.length > 0;
      if (!playing.isQuiet || !over) return false;
      this.#playing = null;
      playing.finish();
      this.#listener({ type: 'reply-ended', replyId: playing.replyId });
      return true;
    }
    if (clip === null) {
      playing.next++;
      return true;
    }
    if (this.#output.open()?.context.state !== 'running') {
      this.#output.wake();
      return false;
    }
    await playing.add(clip);
    return true;
  }

  #begin(): ReplyPlayout | null {
    const output = this.#waiting.length > 0 ? this.#output.open() : null;
    const replyId = this.#waiting.shift();
    if (replyId === undefined || !output) return null;
    this.#playing = new ReplyPlayout(replyId, output.context, output.analyser, {
      started: (index) => this.#listener({ type: 'sentence-started', replyId, index }),
      ended: (index) => {
        this.#listener({ type: 'sentence-ended', replyId, index });
        void this.#pump();
      },
    });
    this.#listener({ type: 'reply-started', replyId });
    return this.#playing;
  }
}

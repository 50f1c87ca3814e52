import type { Loudspeaker, ReplySentence } from '#server/features/floor/surroundings';

interface PageLoudspeakerOptions {
  bargeIn(phase: 'hold' | 'release' | 'interrupt'): void;
  /** A reply is only shown, not played. */
  notPlayed(responseId: string): void;
  /** Monotonic milliseconds. */
  now(): number;
}

/** A client plays a reply at once; without playing within this time it only shows it. */
const PLAYED_WITHIN_MS = 3_000;
/** A stopped client reports its playout position within this time; after it, the server's own value counts. */
const ACCOUNT_MS = 2_000;

/**
 * The loudspeaker of a page. It gets its sound with the turns of its client and plays it by itself; the server knows
 * its state from the page's reports: a reply began, was held, continued, has ended.
 */
export class PageLoudspeaker implements Loudspeaker {
  readonly #options: PageLoudspeakerOptions;
  #playing: { responseId: string; playedMs: number; since: number | null } | null = null;
  #isHeld = false;
  #hasEnded = false;
  /** The newest reply on its way that is not playing yet. */
  #awaited: { responseId: string; overdue: NodeJS.Timeout } | null = null;

  constructor(options: PageLoudspeakerOptions) {
    this.#options = options;
  }

  /** The reply that is playing or held. */
  get responseId(): string | null {
    return this.#playing?.responseId ?? null;
  }

  /** Its playout position in milliseconds. */
  get playedMs(): number {
    if (!this.#playing) return 0;
    const { playedMs, since } = this.#playing;
    return playedMs + (since === null ? 0 : this.#options.now() - since);
  }

  /** The page begins or continues to play a reply. */
  began(responseId: string): void {
    if (this.#awaited?.responseId === responseId) this.#awaitNothing();
    this.#hasEnded = false;
    if (this.responseId === responseId) this.#goOn();
    else this.#playing = { responseId, playedMs: 0, since: this.#options.now() };
  }

  /** Its voice has ended; while held it counts as played up to here. */
  ended(): void {
    if (this.#playing?.since === null) this.#hasEnded = true;
    else this.#playing = null;
  }

  say({ responseId, speech }: ReplySentence): void {
    if (!speech || responseId === this.responseId || responseId === this.#awaited?.responseId) return;
    this.#awaitNothing();
    const overdue = setTimeout(() => {
      this.#awaited = null;
      this.#options.notPlayed(responseId);
    }, PLAYED_WITHIN_MS);
    this.#awaited = { responseId, overdue };
  }

  finish(): void {}

  hold(): void {
    this.#isHeld = true;
    if (this.#playing) this.#playing = { ...this.#playing, playedMs: this.playedMs, since: null };
    this.#options.bargeIn('hold');
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    if (this.#hasEnded) this.#playing = null;
    this.#hasEnded = false;
    this.#goOn();
    this.#options.bargeIn('release');
  }

  stop(responseId: string | null): Promise<number> {
    const isPlaying = responseId !== null && this.responseId === responseId;
    const { playedMs } = this;
    this.#awaitNothing();
    this.#playing = null;
    this.#isHeld = false;
    this.#hasEnded = false;
    this.#options.bargeIn('interrupt');
    if (!isPlaying) return Promise.resolve(0);
    return new Promise((resolve) => setTimeout(resolve, ACCOUNT_MS, playedMs).unref());
  }

  close(): void {
    this.#awaitNothing();
  }

  #goOn(): void {
    if (this.#playing?.since === null) this.#playing.since = this.#options.now();
  }

  #awaitNothing(): void {
    clearTimeout(this.#awaited?.overdue);
    this.#awaited = null;
  }
}

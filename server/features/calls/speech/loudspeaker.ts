/** What the customer hears of the agent, as far as the server can know: it began, it was held, it went on. */
export class Loudspeaker {
  readonly #now: () => number;
  #playing: { responseId: string; heardMs: number; since: number | null } | null = null;
  #hasEnded = false;

  /** @param now milliseconds that only ever grow */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The reply that is heard, or was until it was held. */
  get responseId(): string | null {
    return this.#playing?.responseId ?? null;
  }

  /** Milliseconds of it that were heard so far. */
  get heardMs(): number {
    if (!this.#playing) return 0;
    const { heardMs, since } = this.#playing;
    return heardMs + (since === null ? 0 : this.#now() - since);
  }

  begin(responseId: string): void {
    this.#hasEnded = false;
    if (this.responseId === responseId) this.resume();
    else this.#playing = { responseId, heardMs: 0, since: this.#now() };
  }

  pause(): void {
    if (this.#playing) this.#playing = { ...this.#playing, heardMs: this.heardMs, since: null };
  }

  /** It goes on, unless it came to its end meanwhile. */
  resume(): void {
    if (this.#hasEnded) this.stop();
    else if (this.#playing?.since === null) this.#playing.since = this.#now();
  }

  /** It came to its end; while it is paused it counts as heard so far. */
  end(): void {
    if (this.#playing?.since === null) this.#hasEnded = true;
    else this.stop();
  }

  stop(): void {
    this.#playing = null;
    this.#hasEnded = false;
  }
}

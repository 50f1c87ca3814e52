import type { TurnTaking, TurnTakingListener, TurnTakingOptions } from '#server/listening/contract';

/** Turn-taking that reports what the test says, and records its calls. */
export class ScriptedTurnTaking implements TurnTaking {
  readonly mode: TurnTakingOptions['mode'];
  readonly #listener: TurnTakingListener;
  samples = 0;
  waitingMs = 0;
  readonly agentSaid: (string | null)[] = [];
  isClosed = false;
  whenEnded: () => void | Promise<void> = () => {};

  constructor({ mode, listener }: TurnTakingOptions) {
    this.mode = mode;
    this.#listener = listener;
  }

  /** Reports to the call, if it still listens. */
  get tells(): TurnTakingListener {
    if (this.isClosed) throw new Error('This stream is closed: nothing may be told of it.');
    return this.#listener;
  }

  /** The customer says a complete utterance. */
  says(text: string, { continues = false, thinking = true } = {}): void {
    this.tells.speaking(true);
    this.tells.partial(text);
    if (thinking) this.tells.candidate(text);
    this.takes(text, { continues });
  }

  takes(text: string, { continues = false } = {}): void {
    const samples = this.mode === 'hands-free' ? new Float32Array(16_000).fill(0.1) : null;
    this.tells.utterance({ text, samples, startedAtMs: 0, endedAtMs: 1000, waitedMs: 200, continues });
    this.tells.speaking(false);
  }

  accept(samples: Float32Array): void {
    this.samples += samples.length;
  }

  agentSays(text: string | null): void {
    this.agentSaid.push(text);
  }

  async end(): Promise<void> {
    await this.whenEnded();
  }

  close(): void {
    this.isClosed = true;
  }
}

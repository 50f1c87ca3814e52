import type { Seat, SharedState } from '#server/engines/shared-state/contract';

/** An instance's shared state that a test may end abruptly, like a crash. */
export class MortalState implements SharedState {
  readonly #state: SharedState;
  readonly #seats: Seat[] = [];
  /** Names of seats that were requested. */
  readonly asked: string[] = [];
  #isDead = false;
  /** Others are unreachable, and this instance knows it. */
  isAway = false;

  constructor(state: SharedState) {
    this.#state = state;
  }

  get isShared(): boolean {
    return this.#state.isShared;
  }

  get limiters() {
    return this.#state.limiters;
  }

  status: SharedState['status'] = () =>
    this.isAway ? { state: 'failed', message: 'It is away.' } : this.#state.status();

  async take(name: string, max: number): Promise<Seat | null> {
    this.asked.push(name);
    const seat = this.#isDead ? null : await this.#state.take(name, max);
    if (seat) this.#seats.push(seat);
    return seat;
  }

  tell(topic: string, payload: unknown): void {
    if (!this.#isDead && !this.isAway) this.#state.tell(topic, payload);
  }

  hear: SharedState['hear'] = (topic, schema, listener) =>
    this.#state.hear(topic, schema, (payload) => {
      if (!this.#isDead && !this.isAway) listener(payload);
    });

  onMissed(): void {}

  /** The instance falls silent; its seats stay taken until their leases end. */
  die(): void {
    this.#isDead = true;
  }

  /** The leases of its seats have ended. */
  expire(): void {
    for (const seat of this.#seats.splice(0)) seat.release();
  }

  close(): Promise<void> {
    return this.#state.close();
  }
}

import type { Seat, SharedState } from '#server/engines/shared-state/contract';

/** State of an instance that a test may end without a word, as a crash does. */
export class MortalState implements SharedState {
  readonly #state: SharedState;
  readonly #seats: Seat[] = [];
  /** Names of seats that were asked for. */
  readonly asked: string[] = [];
  #isDead = false;
  /** Others cannot be reached, and this instance knows it. */
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

  /** Its instance says and hears nothing any more; its seats stay taken for as long as their leases last. */
  die(): void {
    this.#isDead = true;
  }

  /** The leases of its seats are over. */
  expire(): void {
    for (const seat of this.#seats.splice(0)) seat.release();
  }

  close(): Promise<void> {
    return this.#state.close();
  }
}

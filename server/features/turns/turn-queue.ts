/** What the queue needs to know of a turn. `run` never rejects and ends soon after `stop`. */
interface QueuedTurn {
  readonly userId: string;
  readonly conversationId: string;
  run(): Promise<void>;
  stop(why: { reason: Error }): void;
}

/**
 * Decides when a turn may run: the turns of one conversation one after another in the order they came,
 * and of one user at most `maxRunningPerUser` at once.
 */
export class TurnQueue<T extends QueuedTurn> {
  readonly #maxRunningPerUser: number;
  /** In order of arrival, per user. */
  readonly #waiting = new Map<string, T[]>();
  readonly #running = new Map<string, Set<T>>();
  #idleListeners: (() => void)[] = [];

  constructor(options: { maxRunningPerUser: number }) {
    this.#maxRunningPerUser = options.maxRunningPerUser;
  }

  add(turn: T): void {
    const waiting = this.#waiting.get(turn.userId);
    if (waiting) waiting.push(turn);
    else this.#waiting.set(turn.userId, [turn]);
    this.#startWhatMay(turn.userId);
  }

  /** The turns of a conversation that are under way or waiting, in order. */
  turnsOf(userId: string, conversationId: string): T[] {
    return this.#turnsOfUser(userId).filter((turn) => turn.conversationId === conversationId);
  }

  /** How many of a user's turns wait, in one conversation or in all. */
  waitingCount(userId: string, conversationId?: string): number {
    const waiting = this.#waiting.get(userId) ?? [];
    if (conversationId === undefined) return waiting.length;
    return waiting.filter((turn) => turn.conversationId === conversationId).length;
  }

  /** Whether a turn of theirs is under way or waits. */
  has(userId: string): boolean {
    return this.#turnsOfUser(userId).length > 0;
  }

  all(): T[] {
    const users = new Set([...this.#running.keys(), ...this.#waiting.keys()]);
    return [...users].flatMap((userId) => this.#turnsOfUser(userId));
  }

  /** Gives turns up; those that wait settle at once instead of waiting for their moment. */
  stop(turns: readonly T[], reason: Error): void {
    for (const turn of turns) turn.stop({ reason });
    for (const turn of turns) {
      const waiting = this.#waiting.get(turn.userId) ?? [];
      const place = waiting.indexOf(turn);
      if (place < 0) continue;
      waiting.splice(place, 1);
      if (waiting.length === 0) this.#waiting.delete(turn.userId);
      this.#start(turn);
    }
  }

  /** Resolves once nothing runs and nothing waits. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#running.size === 0 && this.#waiting.size === 0) resolve();
      else this.#idleListeners.push(resolve);
    });
  }

  #turnsOfUser(userId: string): T[] {
    return [...(this.#running.get(userId) ?? []), ...(this.#waiting.get(userId) ?? [])];
  }

  #startWhatMay(userId: string): void {
    const waiting = this.#waiting.get(userId) ?? [];
    for (const turn of [...waiting]) {
      const running = this.#running.get(userId);
      if ((running?.size ?? 0) >= this.#maxRunningPerUser) break;
      const isBusy = [...(running ?? [])].some((other) => other.conversationId === turn.conversationId);
      if (isBusy) continue;
      waiting.splice(waiting.indexOf(turn), 1);
      this.#start(turn);
    }
    if (waiting.length === 0) this.#waiting.delete(userId);
  }

  #start(turn: T): void {
    const running = this.#running.get(turn.userId) ?? new Set<T>();
    this.#running.set(turn.userId, running.add(turn));
    void turn.run().finally(() => {
      running.delete(turn);
      if (running.size === 0 && this.#running.get(turn.userId) === running) this.#running.delete(turn.userId);
      this.#startWhatMay(turn.userId);
      if (this.#running.size === 0 && this.#waiting.size === 0) {
        const listeners = this.#idleListeners;
        this.#idleListeners = [];
        for (const listener of listeners) listener();
      }
    });
  }
}

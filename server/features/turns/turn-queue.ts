import { accountOf, type ContactScope } from '#server/lib/scope';

/** A turn as the queue needs it. `run` never rejects and ends soon after `stop`. */
interface QueuedTurn {
  readonly scope: ContactScope;
  readonly conversationId: string;
  run(): Promise<void>;
  stop(why: { reason: Error }): void;
}

/**
 * Decides when a turn may run: the turns of one conversation one after another in order of arrival, and at most
 * `maxRunningPerUser` of one account at once.
 */
export class TurnQueue<T extends QueuedTurn> {
  readonly #maxRunningPerUser: number;
  /** In order of arrival, per account. */
  readonly #waiting = new Map<string, T[]>();
  readonly #running = new Map<string, Set<T>>();
  #idleListeners: (() => void)[] = [];

  constructor(options: { maxRunningPerUser: number }) {
    this.#maxRunningPerUser = options.maxRunningPerUser;
  }

  add(turn: T): void {
    const account = accountOf(turn.scope);
    const waiting = this.#waiting.get(account);
    if (waiting) waiting.push(turn);
    else this.#waiting.set(account, [turn]);
    this.#startWhatMay(account);
  }

  /** The running and waiting turns of a conversation, in order. */
  turnsOf(scope: ContactScope, conversationId: string): T[] {
    return this.#turnsOfAccount(accountOf(scope)).filter((turn) => turn.conversationId === conversationId);
  }

  /** Waiting turns of a contact, in one conversation or in all. */
  waitingCount(scope: ContactScope, conversationId?: string): number {
    const waiting = this.#waiting.get(accountOf(scope)) ?? [];
    if (conversationId === undefined) return waiting.length;
    return waiting.filter((turn) => turn.conversationId === conversationId).length;
  }

  /** Whether a turn of an account runs or waits. */
  has(account: string): boolean {
    return this.#turnsOfAccount(account).length > 0;
  }

  all(): T[] {
    const accounts = new Set([...this.#running.keys(), ...this.#waiting.keys()]);
    return [...accounts].flatMap((account) => this.#turnsOfAccount(account));
  }

  /** Cancels turns; waiting ones settle at once instead of waiting for their moment. */
  stop(turns: readonly T[], reason: Error): void {
    for (const turn of turns) turn.stop({ reason });
    for (const turn of turns) {
      const account = accountOf(turn.scope);
      const waiting = this.#waiting.get(account) ?? [];
      const place = waiting.indexOf(turn);
      if (place < 0) continue;
      waiting.splice(place, 1);
      if (waiting.length === 0) this.#waiting.delete(account);
      this.#start(turn);
    }
  }

  /** Resolves once no turn runs or waits. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#running.size === 0 && this.#waiting.size === 0) resolve();
      else this.#idleListeners.push(resolve);
    });
  }

  #turnsOfAccount(account: string): T[] {
    return [...(this.#running.get(account) ?? []), ...(this.#waiting.get(account) ?? [])];
  }

  #startWhatMay(account: string): void {
    const waiting = this.#waiting.get(account) ?? [];
    for (const turn of [...waiting]) {
      const running = this.#running.get(account);
      if ((running?.size ?? 0) >= this.#maxRunningPerUser) break;
      const isBusy = [...(running ?? [])].some((other) => other.conversationId === turn.conversationId);
      if (isBusy) continue;
      waiting.splice(waiting.indexOf(turn), 1);
      this.#start(turn);
    }
    if (waiting.length === 0) this.#waiting.delete(account);
  }

  #start(turn: T): void {
    const account = accountOf(turn.scope);
    const running = this.#running.get(account) ?? new Set<T>();
    this.#running.set(account, running.add(turn));
    void turn.run().finally(() => {
      running.delete(turn);
      if (running.size === 0 && this.#running.get(account) === running) this.#running.delete(account);
      this.#startWhatMay(account);
      if (this.#running.size === 0 && this.#waiting.size === 0) {
        const listeners = this.#idleListeners;
        this.#idleListeners = [];
        for (const listener of listeners) listener();
      }
    });
  }
}

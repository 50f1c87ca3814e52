/** Limits a rate; unused allowance accumulates to a burst. */
export class Rate {
  readonly #perSecond: number;
  readonly #burst: number;
  #left: number;
  #at = performance.now();

  constructor(perSecond: number, burst = perSecond) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#left = burst;
  }

  /** @returns whether `cost` may pass now */
  take(cost = 1): boolean {
    const now = performance.now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) * this.#perSecond) / 1000);
    this.#at = now;
    if (this.#left < cost) return false;
    this.#left -= cost;
    return true;
  }
}

/** What a participant may send of one kind: per second, and at once. */
export interface Allowance {
  messages: { perSecond: number; atOnce: number };
  bytes: { perSecond: number; atOnce: number };
}

/** One participant's budgets by kind of message: a flood of one kind does not affect the others. */
export class Budgets<Kind extends string> {
  readonly #allowances: Readonly<Record<Kind, Allowance>>;
  readonly #rates = new Map<Kind, { messages: Rate; bytes: Rate }>();

  constructor(allowances: Readonly<Record<Kind, Allowance>>) {
    this.#allowances = allowances;
  }

  /** @returns whether a message of this many bytes may pass now */
  take(kind: Kind, bytes: number): boolean {
    let rates = this.#rates.get(kind);
    if (!rates) {
      const allowed = this.#allowances[kind];
      rates = {
        messages: new Rate(allowed.messages.perSecond, allowed.messages.atOnce),
        bytes: new Rate(allowed.bytes.perSecond, allowed.bytes.atOnce),
      };
      this.#rates.set(kind, rates);
    }
    return rates.messages.take() && rates.bytes.take(bytes);
  }
}

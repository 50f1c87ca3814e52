import type { Welcome } from '#server/features/turns/service';

/** Wait for a report of a listener before the voice begins regardless. */
const AUDIBLE_AFTER_MS = 3_000;

interface GreetingOptions {
  /** Made while the agent is on its way. */
  welcome: Promise<Welcome>;
  isAnybodyThere(): boolean;
  say(welcome: Welcome): void;
  onFailure(error: unknown): void;
}

/** The agent's welcome: said once, to the first person, when both are there and can hear. */
export class Greeting {
  readonly #options: GreetingOptions;
  #state: 'open' | 'due' | 'said' = 'open';
  #isAudible = false;
  #overdue: NodeJS.Timeout | undefined;

  constructor(options: GreetingOptions) {
    this.#options = options;
  }

  /** Whether it was said, or is not needed. */
  get isDone(): boolean {
    return this.#state === 'said';
  }

  /** A person has come. @param goesOn they were greeted before */
  arrived(goesOn: boolean): void {
    if (this.#state === 'open') this.#state = goesOn ? 'said' : 'due';
    if (this.#state === 'due' && !this.#isAudible)
      this.#overdue ??= setTimeout(() => this.audible(), AUDIBLE_AFTER_MS);
    this.#begin();
  }

  /** The voice has a listener. */
  audible(): void {
    this.#isAudible = true;
    clearTimeout(this.#overdue);
    this.#begin();
  }

  close(): void {
    clearTimeout(this.#overdue);
    this.#state = 'said';
  }

  #begin(): void {
    const { welcome, isAnybodyThere, say, onFailure } = this.#options;
    if (this.#state !== 'due' || !this.#isAudible || !isAnybodyThere()) return;
    void welcome.then((welcome) => {
      if (this.#state !== 'due') return;
      this.#state = 'said';
      if (isAnybodyThere()) say(welcome);
    }, onFailure);
  }
}

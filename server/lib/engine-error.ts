/** A failure of an engine. `message` is safe to show to a person; `retryable` says whether the same request may succeed later. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly retryable: boolean;
  /** For how long it asked not to be asked again, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options: { retryable: boolean; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What a provider itself said of why it failed: for owners alone. Its message tells nothing of that, since it is logged. */
export class ProviderComplaint extends Error {
  override readonly name = 'ProviderComplaint';
  readonly #words: string;

  constructor(words: string) {
    super('The provider said why.');
    this.#words = words;
  }

  get words(): string {
    return this.#words;
  }
}

/**
 * A failure of an engine. `message` is safe to show; `retryable` says whether the same request may succeed
 * later.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly retryable: boolean;
  /** Milliseconds for which it asked not to be called again. */
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

/**
 * A provider's own reason for a failure: for owners only. The message holds none of it, because it is logged.
 */
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

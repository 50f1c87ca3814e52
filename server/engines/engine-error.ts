/** A failure of an engine. `message` is safe to show to a person; `retryable` says whether the same request may succeed later. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly retryable: boolean;

  constructor(message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable;
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

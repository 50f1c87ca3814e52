export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

export interface CompletionRequest {
  /** Who the model is, what it may say and what it knows: made by dialogue/prompts.ts. */
  instructions: string;
  /** Oldest first; the last one is the customer's. */
  messages: readonly ChatMessage[];
  signal: AbortSignal;
  /** Told how many tokens were read and written, where the model's server says so. */
  onUsage?: (read: number, written: number) => void;
}

/**
 * A generative language model.
 * `stream` yields pieces of text as they come; rejects with an EngineError or the signal's reason.
 */
export interface LanguageEngine {
  /** What the page calls it, e.g. a model's name. */
  readonly name: string;
  stream(request: CompletionRequest): AsyncIterable<string>;
}

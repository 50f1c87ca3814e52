import type { Checking } from '#shared/engine-settings';
import type { EngineStatus } from '#shared/status';

/** A model's request to call one of the tools offered. */
export interface ToolCall {
  id: string;
  name: string;
  /** JSON as the model wrote it, unchecked. */
  input: string;
}

export type ChatMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; calls?: readonly ToolCall[] }
  | { role: 'tool'; call: ToolCall; result: string };

export interface Tool {
  name: string;
  /** What the tool does and when to use it. */
  description: string;
  /** JSON Schema of its input. */
  input: Readonly<Record<string, unknown>>;
}

export interface CompletionRequest {
  /** The model's role and rules. The same in each turn, so that its server may cache them. */
  instructions: string;
  /** Facts for this turn. */
  knowledge?: string;
  /** Oldest first; the last one is the customer's or a tool result. */
  messages: readonly ChatMessage[];
  tools?: readonly Tool[];
  signal: AbortSignal;
}

/** Tokens that a completion took; null if the server does not say. */
export interface Usage {
  input: number | null;
  output: number | null;
}

export type CompletionEvent =
  | { type: 'text'; text: string }
  /** The model is reasoning; its reasoning is not shown. */
  | { type: 'thinking' }
  | { type: 'call'; call: ToolCall }
  /** Always last. `cut`: stopped by the token limit or a filter. */
  | { type: 'end'; reason: 'done' | 'calls' | 'cut'; usage: Usage };

/** What is learnt about a model's answers in use; kept for the life of the process. */
export interface ModelHabits {
  /** It reasons before it answers. */
  thinks: boolean;
  /** Its answers close a reasoning block that they did not open, because its template opens it. */
  thinksUnopened: boolean;
}

export const unknownHabits = (): ModelHabits => ({ thinks: false, thinksUnopened: false });

/**
 * A generative language model. `stream` yields events as they come, and rejects with an EngineError or the
 * signal's reason. Ending the iteration ends the request.
 */
export interface LanguageEngine {
  /** Name on the page, e.g. the model's. */
  readonly name: string;
  readonly checking: Checking;
  /** Updated by the code that learns them. */
  readonly habits: ModelHabits;
  stream(request: CompletionRequest): AsyncIterable<CompletionEvent>;
  /** Set for a model that runs on this machine. */
  readonly here?: ModelHere;
}

/** A model that runs on this machine and holds its memory while it is in use. */
interface ModelHere {
  /** Starts its use: the model is fetched and started. */
  begin(): void;
  status(): EngineStatus;
  /** Ends its use: it stops after the last answer under way. */
  leave(): void;
}

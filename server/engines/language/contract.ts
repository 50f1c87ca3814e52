import type { Checking } from '#shared/engine-settings';
import type { EngineStatus } from '#shared/status';

/** A model asks for one of the tools that it was offered. */
export interface ToolCall {
  id: string;
  name: string;
  /** As the model wrote it: JSON that nobody has checked. */
  input: string;
}

export type ChatMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; calls?: readonly ToolCall[] }
  /** What came of a call. */
  | { role: 'tool'; call: ToolCall; result: string };

export interface Tool {
  name: string;
  /** What it does, and when it is to be used. */
  description: string;
  /** JSON Schema of its input. */
  input: Readonly<Record<string, unknown>>;
}

export interface CompletionRequest {
  /** Who the model is and what it may say, the same in each turn, so that its server may keep what it read of it. */
  instructions: string;
  /** What it knows in this turn. */
  knowledge?: string;
  /** Oldest first; the last one is the customer's, or what came of a call. */
  messages: readonly ChatMessage[];
  tools?: readonly Tool[];
  signal: AbortSignal;
}

/** Tokens that a completion took; null where the server does not say. */
export interface Usage {
  input: number | null;
  output: number | null;
}

export type CompletionEvent =
  | { type: 'text'; text: string }
  /** It reasons; of what, nobody is told. */
  | { type: 'thinking' }
  | { type: 'call'; call: ToolCall }
  /** Always the last. `cut`: the model was stopped by its limit of tokens or by a filter. */
  | { type: 'end'; reason: 'done' | 'calls' | 'cut'; usage: Usage };

/** What is found out about how a model answers while it is used; it is kept for as long as the process runs. */
export interface ModelHabits {
  /** It reasons before it answers. */
  thinks: boolean;
  /** It closes its reasoning without having opened it: its template opens it, where nobody sees. */
  thinksUnopened: boolean;
}

export const unknownHabits = (): ModelHabits => ({ thinks: false, thinksUnopened: false });

/**
 * A generative language model.
 * `stream` yields events as they come; rejects with an EngineError or the signal's reason. Whoever stops taking them ends
 * the request.
 */
export interface LanguageEngine {
  /** What the page calls it, e.g. a model's name. */
  readonly name: string;
  readonly checking: Checking;
  /** Whoever finds out more of them writes it down here. */
  readonly habits: ModelHabits;
  stream(request: CompletionRequest): AsyncIterable<CompletionEvent>;
  /** Of one that runs on this machine. */
  readonly here?: ModelHere;
}

/** A model that runs on this machine, and takes its memory for as long as it is used. */
interface ModelHere {
  /** It is used from now on: it is fetched and started. */
  begin(): void;
  status(): EngineStatus;
  /** It is used no more: it ends after the last answer that is under way. */
  leave(): void;
}

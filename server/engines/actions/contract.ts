/** A request to a business's own system, with the inputs filled in. */
export interface SystemRequest {
  /** The account that owns the system. */
  account: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON; undefined sends no body. */
  body?: unknown;
  /** Sent as `Idempotency-Key`: repeating the key repeats the same request. */
  idempotencyKey?: string;
}

/** A server that speaks the Model Context Protocol over Streamable HTTP. */
export interface ToolServer {
  /** The account that owns the server. */
  account: string;
  url: string;
  headers: Readonly<Record<string, string>>;
}

export interface ToolCall extends ToolServer {
  tool: string;
  input: Readonly<Record<string, string>>;
  idempotencyKey?: string;
}

/** A tool as its server describes it. */
export interface ToolFace {
  name: string;
  description: string;
  /** JSON Schema of its input, unchecked. */
  input: unknown;
  /** The server declares that the tool changes nothing. */
  readOnly: boolean;
}

/**
 * Outcome of a call. `refused`: the system answered that it does not know or want this. `failed`: it did not
 * answer, or its answer is unusable. `unknown`: as `failed`, but the action may have been carried out.
 */
export interface SystemAnswer {
  outcome: 'done' | 'refused' | 'failed' | 'unknown';
  /** HTTP status; null without an answer. */
  status: number | null;
  /** Milliseconds, retries included. */
  ms: number;
  /** The answer's JSON; if it is not JSON, the beginning of its text; null if empty. */
  answer: unknown;
  /** One sentence for the owner who set the action up; absent when `done`. */
  problem?: string;
}

/** The business's own systems. */
export interface ActionsEngine {
  /** Sends the request, and retries once where that is safe. Rejects only with the signal's reason. */
  call(request: SystemRequest, signal: AbortSignal): Promise<SystemAnswer>;
  /** Rejects only with the signal's reason. */
  callTool(call: ToolCall, signal: AbortSignal): Promise<SystemAnswer>;
  /** @throws EngineError with a sentence that is safe to show; the signal's reason */
  tools(server: ToolServer, signal: AbortSignal): Promise<ToolFace[]>;
}

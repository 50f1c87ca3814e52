/** What is asked of a business's own system: inputs stand where their names stood. */
export interface SystemRequest {
  /** Whose system it is. */
  account: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON; undefined: none. */
  body?: unknown;
  /** Sent as `Idempotency-Key`: the same one again is the same wish. */
  idempotencyKey?: string;
}

/** A server that speaks the Model Context Protocol over Streamable HTTP. */
export interface ToolServer {
  /** Whose server it is. */
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
  /** JSON Schema of its input, which nobody has checked. */
  input: unknown;
  /** It says of itself that it changes nothing. */
  readOnly: boolean;
}

/**
 * What came of it. `refused`: the system answered that it knows or wants none of it. `failed`: it did not answer, or not
 * as a system does. `unknown`: so too, and it may have been done all the same.
 */
export interface SystemAnswer {
  outcome: 'done' | 'refused' | 'failed' | 'unknown';
  /** Of HTTP; null where there was no answer. */
  status: number | null;
  /** Milliseconds, second attempts included. */
  ms: number;
  /** The JSON of the answer; of another one its beginning as text; null where there is none. */
  answer: unknown;
  /** One sentence for whoever set the action up, unless it is done. */
  problem?: string;
}

/** The business's own systems. */
export interface ActionsEngine {
  /** Asks once, and a second time where that is safe. Rejects with the signal's reason alone. */
  call(request: SystemRequest, signal: AbortSignal): Promise<SystemAnswer>;
  /** Rejects with the signal's reason alone. */
  callTool(call: ToolCall, signal: AbortSignal): Promise<SystemAnswer>;
  /** @throws EngineError with a sentence that is safe to show, the signal's reason */
  tools(server: ToolServer, signal: AbortSignal): Promise<ToolFace[]>;
}

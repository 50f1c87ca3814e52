import { appErrorOf } from '#server/lib/app-error-of';
import { keyed } from '#server/lib/errors';
import type { RealtimeError } from '#shared/realtime';

/**
 * The error that a client sees for a failure; unknown errors become a sentence that reveals nothing.
 * @param payload the client's payload: its ids are returned, so that the client knows what was refused
 */
export function toRealtimeError(error: unknown, payload?: unknown): RealtimeError {
  const refusal = appErrorOf(error);
  const conversationId = ownName(payload, 'conversationId');
  const clientMessageId = ownName(payload, 'clientMessageId');
  return {
    message: refusal.message,
    code: refusal.code,
    ...keyed(refusal.refusal),
    retryable: refusal.retryable,
    ...(conversationId ? { conversationId } : {}),
    ...(clientMessageId ? { clientMessageId } : {}),
  };
}

const TOLD_AGAIN_MS = 10_000;

/** Recognises a refusal that only repeats the last one, as for consecutive chunks of a stream. */
export class RepeatedRefusals {
  readonly #told = new Map<string, { message: string; at: number }>();

  isNews(event: string, { message }: RealtimeError): boolean {
    const before = this.#told.get(event);
    const now = Date.now();
    if (before?.message === message && now - before.at < TOLD_AGAIN_MS) return false;
    this.#told.set(event, { message, at: now });
    return true;
  }
}

function ownName(payload: unknown, key: string): string | undefined {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, key)) return undefined;
  const value: unknown = Reflect.get(payload, key);
  return typeof value === 'string' && value.length <= 100 ? value : undefined;
}

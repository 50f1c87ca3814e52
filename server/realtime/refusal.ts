import { appErrorOf } from '#server/lib/app-error-of';
import type { RealtimeError } from '#shared/realtime';

/**
 * What a client is told of a failure; what nobody named becomes a sentence that gives nothing away.
 * @param payload what the client sent: names of its own in it come back, so that it knows what was refused
 */
export function toRealtimeError(error: unknown, payload?: unknown): RealtimeError {
  const refusal = appErrorOf(error);
  const conversationId = ownName(payload, 'conversationId');
  const clientMessageId = ownName(payload, 'clientMessageId');
  return {
    message: refusal.message,
    code: refusal.code,
    retryable: refusal.retryable,
    ...(conversationId ? { conversationId } : {}),
    ...(clientMessageId ? { clientMessageId } : {}),
  };
}

const TOLD_AGAIN_MS = 10_000;

/** Tells a refusal that only repeats itself, as the chunks of one stream bring it, from one that is news. */
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

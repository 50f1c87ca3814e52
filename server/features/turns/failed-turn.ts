import { appErrorOf } from '#server/lib/app-error-of';
import { EngineError } from '#server/lib/engine-error';
import { AppError } from '#server/lib/errors';
import type { FailedTurn } from './call-events.ts';

/** The error for a customer after a failed turn. @param onUnexpected called for errors without a code */
export function failedTurn(
  turn: Pick<FailedTurn, 'conversationId' | 'clientMessageId'>,
  error: unknown,
  onUnexpected: (error: unknown) => void,
): FailedTurn {
  const { message, code, retryable } = appErrorOf(error);
  if (error instanceof EngineError) return { ...turn, message, code, retryable: error.retryable };
  if (!(error instanceof AppError)) onUnexpected(error);
  return { ...turn, message, code, retryable };
}

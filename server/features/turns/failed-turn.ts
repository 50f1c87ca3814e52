import { appErrorOf } from '#server/lib/app-error-of';
import { EngineError } from '#server/lib/engine-error';
import { AppError } from '#server/lib/errors';
import type { FailedTurn } from './call-events.ts';

/** What a customer is told of a turn that failed. @param onUnexpected told of errors that nobody named */
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

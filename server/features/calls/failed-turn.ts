import { EngineError } from '#server/engines/engine-error';
import { AppError, internal } from '#server/errors';
import type { FailedTurn } from './call-events.ts';

/** What a customer is told of a turn that failed. @param onUnexpected told of errors that nobody named */
export function failedTurn(
  turn: Pick<FailedTurn, 'conversationId' | 'clientMessageId'>,
  error: unknown,
  onUnexpected: (error: unknown) => void,
): FailedTurn {
  if (error instanceof EngineError)
    return { ...turn, message: error.message, code: 'unavailable', retryable: error.retryable };
  const known = error instanceof AppError ? error : internal(error);
  if (known !== error) onUnexpected(error);
  const { message, code, retryable } = known;
  return { ...turn, message, code, retryable };
}

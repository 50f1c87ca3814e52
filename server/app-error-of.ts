import { isDatabaseAway, isDiskFull } from '#server/database/away';
import { EngineError } from '#server/engines/engine-error';
import { AppError, internal, noRoom, unavailable } from '#server/errors';

/** What a client is told of anything thrown. What nobody named becomes a sentence that gives nothing away. */
export function appErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof EngineError) return unavailable(error.message, error);
  if (isDiskFull(error)) return noRoom(error);
  if (isDatabaseAway(error)) return unavailable('Sigma cannot reach its database. Please try again.', error);
  return internal(error);
}

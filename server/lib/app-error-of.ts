import { isDatabaseAway, isDiskFull } from '#server/lib/database-away';
import { EngineError } from '#server/lib/engine-error';
import { codeOf } from '#server/lib/error-code';
import { AppError, inItsWords, internal, invalidInput, noRoom, unavailable } from '#server/lib/errors';

/**
 * The error that a client sees for anything thrown. Unknown errors become a sentence that reveals nothing.
 */
export function appErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof EngineError) return unavailable(inItsWords(error), error);
  if (isDiskFull(error)) return noRoom(error);
  if (isNotStorable(error)) return invalidInput('common.not-storable');
  if (isDatabaseAway(error)) return unavailable('common.database-away', error);
  return internal(error);
}

/**
 * PostgreSQL's rejections of text: a NUL character, half a surrogate pair in JSON. The query builder wraps
 * them.
 */
const isNotStorable = (error: unknown) =>
  error instanceof Error && [codeOf(error), codeOf(error.cause)].some((code) => REFUSED_TEXT.has(code));
const REFUSED_TEXT = new Set(['22021', '22P05', '22P02']);

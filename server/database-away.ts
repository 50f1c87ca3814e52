import { codeOf } from '#server/error-code';

/**
 * Whether the database could not be reached, or was lost in the middle: a lost connection, a server that stops or starts
 * (PostgreSQL's classes 08 and 57P), one without a free connection. The query builder wraps what it is told.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return [error, error.cause].some(
    (e) =>
      /^(?:08...|57P0.|53300)$/.test(codeOf(e)) ||
      (e instanceof Error &&
        /^(?:The embedded database stopped|Connection terminated|timeout exceeded when trying to connect|Query read timeout)/.test(
          e.message,
        )) ||
      (isLostLine(e) && error.cause !== undefined),
  );
}

/** Whether a connection was refused or lost, as by a server that restarts. Not where a database is too busy to answer in time. */
export const isConnectionLost = (error: unknown): boolean =>
  isLostLine(error) ||
  /^(?:08...|57P0[123])$/.test(codeOf(error)) ||
  (error instanceof Error &&
    /^(?:The embedded database stopped|Connection terminated unexpectedly)/.test(error.message));

/**
 * Does once more what the database's going away broke off; the pool waits until it is back.
 * @param task may be done twice, since its first attempt may have been stored
 * @throws what `task` throws
 */
export async function acrossRestart<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const isLost = isConnectionLost(error) || (error instanceof Error && isConnectionLost(error.cause));
    if (!isLost) throw error;
    return task();
  }
}

const isLostLine = (error: unknown) => ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(codeOf(error));

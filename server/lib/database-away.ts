import { codeOf } from '#server/lib/error-code';

/** An error, and what the query builder wrapped in it. */
const layersOf = (error: unknown): unknown[] => (error instanceof Error ? [error, error.cause] : []);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** A connection that was refused or lost, or a server that stops or starts (PostgreSQL's classes 08 and 57P). */
const isLost = (error: unknown): boolean =>
  /^(?:08...|57P0.|ECONNREFUSED|ECONNRESET|EPIPE)$/.test(codeOf(error)) ||
  /^(?:The embedded database stopped|Connection terminated)/.test(messageOf(error));

/** The server refuses the password, or this user by it. */
export const isPasswordRefused = (error: unknown): boolean => codeOf(error) === '28P01';

/** No connection was free, or no answer came in time. */
const isTooBusy = (error: unknown): boolean =>
  codeOf(error) === '53300' ||
  /^(?:timeout exceeded when trying to connect|Query read timeout)/.test(messageOf(error));

/** PostgreSQL found no room on its disk. */
export const isDiskFull = (error: unknown): boolean =>
  layersOf(error).some((layer) => codeOf(layer) === '53100');

/** Whether the connection to the database was refused or lost: asked anew, it may be there again. */
export const isConnectionLost = (error: unknown): boolean => layersOf(error).some(isLost);

/** Whether the database could not be reached, or not in time. */
export const isDatabaseAway = (error: unknown): boolean =>
  layersOf(error).some((layer) => isTooBusy(layer) || (isLost(layer) && !isOthers(error)));

/** A lost line that the query builder did not wrap, and the driver did not name, may be to any other server. */
const isOthers = (error: unknown): boolean =>
  /^E[A-Z]+$/.test(codeOf(error)) && error instanceof Error && error.cause === undefined;

/**
 * Does what can wait until the disk has room again.
 * @returns undefined where a full disk left it undone
 * @throws what else `task` throws
 */
export async function whereRoom<T>(task: () => Promise<T>): Promise<T | undefined> {
  try {
    return await task();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    return undefined;
  }
}

/**
 * Does once more what the database's going away broke off; the pool waits until it is back.
 * @param task may be done twice, since its first attempt may have been stored
 * @throws what `task` throws
 */
export async function acrossRestart<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    return task();
  }
}

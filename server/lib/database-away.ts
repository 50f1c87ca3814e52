import { codeOf } from '#server/lib/error-code';

/** An error and its causes, which the query builder wraps. */
const layersOf = (error: unknown): unknown[] => (error instanceof Error ? [error, error.cause] : []);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/**
 * A refused or lost connection, or a server that is stopping or starting (PostgreSQL's classes 08 and 57P).
 */
const isLost = (error: unknown): boolean =>
  /^(?:08...|57P0.|ECONNREFUSED|ECONNRESET|EPIPE)$/.test(codeOf(error)) ||
  /^(?:The embedded database stopped|Connection terminated)/.test(messageOf(error));

/** The server rejects the user or the password. */
export const isPasswordRefused = (error: unknown): boolean => codeOf(error) === '28P01';

/** No free connection, or no answer in time. */
const isTooBusy = (error: unknown): boolean =>
  codeOf(error) === '53300' ||
  /^(?:timeout exceeded when trying to connect|Query read timeout)/.test(messageOf(error));

/** PostgreSQL's disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  layersOf(error).some((layer) => codeOf(layer) === '53100');

/** Whether the connection to the database was refused or lost: a retry may succeed. */
export const isConnectionLost = (error: unknown): boolean => layersOf(error).some(isLost);

/** Whether the database could not be reached in time. */
export const isDatabaseAway = (error: unknown): boolean =>
  layersOf(error).some((layer) => isTooBusy(layer) || (isLost(layer) && !isOthers(error)));

/**
 * A lost connection that neither the query builder wrapped nor the driver named may belong to another server.
 */
const isOthers = (error: unknown): boolean =>
  /^E[A-Z]+$/.test(codeOf(error)) && error instanceof Error && error.cause === undefined;

/**
 * Runs a task that can wait until the disk has space again.
 * @returns undefined if a full disk prevented it
 * @throws other errors of `task`
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
 * Retries a task once if the database went away; the pool waits until it is back.
 * @param task must be repeatable, since its first attempt may have been stored
 * @throws the error of `task`
 */
export async function acrossRestart<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    return task();
  }
}

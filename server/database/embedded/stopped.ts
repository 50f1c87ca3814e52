/** Whether the thread stopped for lack of disk space. @param reason its message; null if it gave none */
export const isNoRoom = (reason: string | null): boolean =>
  reason !== null && /no space left on device|quota exceeded|\b(?:ENOSPC|EDQUOT)\b/i.test(reason);

/** The error of a session whose thread has stopped or is not ready. A full disk gets PostgreSQL's code. */
export function stoppedBecause(reason: string | null, cause?: unknown): Error {
  const error = new Error('The embedded database stopped.', { cause });
  return isNoRoom(reason) ? Object.assign(error, { code: '53100' }) : error;
}

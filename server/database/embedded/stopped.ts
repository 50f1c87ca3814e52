/** Whether it stopped for want of room on the disk. @param reason as the thread told it; null where it said nothing */
export const isNoRoom = (reason: string | null): boolean =>
  reason !== null && /no space left on device|quota exceeded|\b(?:ENOSPC|EDQUOT)\b/i.test(reason);

/** What a session is told whose thread has stopped, or is not there yet. A full disk has the code that PostgreSQL gives it. */
export function stoppedBecause(reason: string | null, cause?: unknown): Error {
  const error = new Error('The embedded database stopped.', { cause });
  return isNoRoom(reason) ? Object.assign(error, { code: '53100' }) : error;
}

import type { Database } from '#server/database/open';
import { whereRoom } from '#server/lib/database-away';
import type { Logger } from '#server/telemetry/logger';

/** What a session opened may outlive the session by this long. */
const SESSIONS_MS = 60_000;
const CHORES_MS = 60 * 60 * 1000;

interface Chores {
  database: Pick<Database, 'alone'>;
  logger: Pick<Logger, 'warn'>;
  /** Ends expired sessions. */
  endSessions(): Promise<unknown>;
  /** Each removes expired rows; every instance runs them. */
  removeExpired: readonly (() => Promise<unknown>)[];
  /** Deletes data past its retention; one instance does it for all, also at the start. */
  removeOld(): Promise<void>;
  /**
   * Continues unfinished readings of documents; one instance does it for all, also when the server starts to listen.
   */
  takeUpDocuments(): Promise<void>;
}

/**
 * Starts periodic background work. Failures are logged, except a full disk, which the database reports, and retried the
 * next time.
 * @returns `listening` reports that the server listens; `stop` ends future work but not current work
 */
export function startHousekeeping(chores: Chores): { listening(): void; stop(): void } {
  const { database, logger } = chores;
  const logged = (work: string, promise: Promise<unknown>) =>
    void whereRoom(() => promise).catch((error: unknown) =>
      logger.warn({ err: error, work }, 'background work failed'),
    );
  const alone = (work: string, task: () => Promise<void>) => logged(work, database.alone(work, task));
  const removeOld = () => alone('retention', () => chores.removeOld());
  const takeUpDocuments = () => alone('documents', () => chores.takeUpDocuments());
  const timers = [
    setInterval(() => {
      for (const remove of chores.removeExpired) logged('expired', remove());
      removeOld();
      takeUpDocuments();
    }, CHORES_MS),
    setInterval(() => logged('sessions', chores.endSessions()), SESSIONS_MS),
  ];
  for (const timer of timers) timer.unref();
  removeOld();
  return {
    listening: takeUpDocuments,
    stop: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

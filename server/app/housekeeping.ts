import type { Database } from '#server/database/open';
import { whereRoom } from '#server/lib/database-away';
import type { Logger } from '#server/telemetry/logger';

/** What a session opened may outlive its last day by this long. */
const SESSIONS_MS = 60_000;
const CHORES_MS = 60 * 60 * 1000;

interface Chores {
  database: Pick<Database, 'alone'>;
  logger: Pick<Logger, 'warn'>;
  /** Ends the sessions that are past their last day. */
  endSessions(): Promise<unknown>;
  /** Each removes what has expired; every instance does it. */
  removeExpired: readonly (() => Promise<unknown>)[];
  /** Removes what is kept no longer; one instance does it for all, also at the start. */
  removeOld(): Promise<void>;
  /** Goes on with documents whose reading was left; one instance does it for all, also once somebody can ask. */
  takeUpDocuments(): Promise<void>;
}

/**
 * Begins what is done beside requests, again and again. What fails is logged, unless the disk is full, which the database
 * tells, and tried again the next time.
 * @returns `listening` says that somebody can ask; `stop` ends all of it, what is under way aside
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

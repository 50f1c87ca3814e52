import pg from 'pg';

/** Arbitrary, but the same in every instance, and different from other two-part locks. */
const WORK_LOCKS = 771_220_263;

/** Interval in milliseconds of checks on a long-held lock: a connection may end without notice. */
const LOOK_MS = 5_000;

/**
 * Does work that one instance does for all, unless another instance is doing it.
 * @param name of the work
 * @param work receives a signal that aborts when another instance may have begun it
 * @returns whether it was done
 */
export type Alone = (name: string, work: (lost: AbortSignal) => Promise<void>) => Promise<boolean>;

/**
 * For instances on a PostgreSQL server, by an advisory lock. A separate connection holds the lock, so that it
 * is released when its instance ends, and no query waits for a place in the pool meanwhile.
 */
export const aloneOnServer =
  (connection: () => pg.ClientConfig): Alone =>
  async (name, work) => {
    const client = new pg.Client(connection());
    // Without the connection the lock is gone, and another instance may begin. Doing such work twice is
    // harmless, only wasteful.
    const lost = new AbortController();
    const lose = (error?: unknown) =>
      lost.abort(error ?? new Error('The connection that held a lock ended.'));
    client.on('error', lose);
    client.on('end', () => lose());
    await client.connect();
    let look: NodeJS.Timeout | undefined;
    try {
      const { rows } = await client.query<{ isOurs: boolean }>(
        'select pg_try_advisory_lock($1, hashtext($2)) as "isOurs"',
        [WORK_LOCKS, name],
      );
      if (!rows[0]?.isOurs) return false;
      look = setInterval(() => void client.query('select 1').catch(lose), LOOK_MS);
      await work(lost.signal);
      return true;
    } finally {
      clearInterval(look);
      await client.end().catch(() => {});
    }
  };

/** Within this process: an embedded database has no other instances. */
export function aloneHere(): Alone {
  const underWay = new Set<string>();
  return async (name, work) => {
    if (underWay.has(name)) return false;
    underWay.add(name);
    try {
      await work(new AbortController().signal);
      return true;
    } finally {
      underWay.delete(name);
    }
  };
}

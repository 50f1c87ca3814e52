import pg from 'pg';

/** Any number: it only has to be the same in every instance, and another one than that of other two-part locks. */
const WORK_LOCKS = 771_220_263;

/** How often a lock is looked at that is held for long: a connection may end without a word. */
const LOOK_MS = 5_000;

/**
 * Does work that one instance at a time does for all of them, unless another one is doing it.
 * @param name of the work
 * @param work given a signal that aborts when another instance may have begun it
 * @returns whether it was done
 */
export type Alone = (name: string, work: (lost: AbortSignal) => Promise<void>) => Promise<boolean>;

/**
 * Among the instances on a PostgreSQL server, by one of its advisory locks. The lock is held by a connection of its own, so
 * that it goes with an instance that goes, and no query waits for a place in the pool meanwhile.
 */
export const aloneOnServer =
  (connection: () => pg.ClientConfig): Alone =>
  async (name, work) => {
    const client = new pg.Client(connection());
    // Without it the lock is gone: another instance may begin. All such work may be done twice, it is only not wanted.
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

/** Within this process: nobody else opens an embedded database. */
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

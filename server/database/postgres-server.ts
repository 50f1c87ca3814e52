import pg from 'pg';
import { codeOf } from '#server/error-code';
import { StartError } from '#server/start-error';
import { whyUnreachable, withoutPassword } from '#server/unreachable';

/** The oldest PostgreSQL the schema and the queries are tested with. */
const OLDEST_MAJOR = 15;

/**
 * What `pg` needs to reach a PostgreSQL server, with time-outs: a request that waits longer for it has lost its
 * customer anyway, and a transaction somebody forgot must not hold its locks.
 */
export function serverConnection(databaseUrl: string): pg.PoolConfig {
  return {
    connectionString: databaseUrl,
    application_name: 'sigma',
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
  };
}

/** Checks that this server can be used. @throws StartError with one sentence that never holds the password */
export async function checkServer(databaseUrl: string): Promise<void> {
  const shown = withoutPassword(databaseUrl);
  const client = new pg.Client(serverConnection(databaseUrl));
  client.on('error', () => {});
  let version: number;
  try {
    await client.connect();
    const answer = await client.query<{ number: string }>(
      "select current_setting('server_version_num') as number",
    );
    version = Math.floor(Number(answer.rows[0]?.number) / 10_000);
  } catch (error) {
    throw new StartError(`The database ${shown} (DATABASE_URL) cannot be used: ${reason(error)}.`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => {});
  }
  if (version < OLDEST_MAJOR)
    throw new StartError(
      `The database ${shown} (DATABASE_URL) is PostgreSQL ${version}, but Sigma needs ${OLDEST_MAJOR} or newer.`,
    );
}

function reason(error: unknown): string {
  return whyUnreachable(error) ?? reasons[codeOf(error)] ?? 'it does not answer as PostgreSQL';
}

const reasons: Record<string, string> = {
  '28P01': 'it refuses this user or password',
  '28000': 'it refuses this user',
  '3D000': 'there is no database of that name',
  '42501': 'this user may not use it',
  '53300': 'it has no connection left',
  '57P03': 'it is still starting',
};

import pg from 'pg';
import { codeOf } from '#server/lib/error-code';
import { StartError } from '#server/lib/start-error';
import { whyUnreachable, withoutPassword } from '#server/lib/unreachable';

/** The oldest PostgreSQL that schema and queries are tested with. */
const OLDEST_MAJOR = 15;

/** A request that waits longer for the server has lost its customer anyway. */
export const CONNECT_MS = 10_000;

/**
 * `pg`'s settings for a PostgreSQL server, with time-outs: a forgotten transaction must not hold its locks.
 * Certificates named in the address are read for each connection, so renewed ones need no restart.
 */
export const serverConnection = (databaseUrl: string): pg.ClientConfig => ({
  connectionString: databaseUrl,
  application_name: 'sigma',
  connectionTimeoutMillis: CONNECT_MS,
  statement_timeout: 30_000,
  query_timeout: 35_000,
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
});

/** Checks that this server can be used. @throws StartError with one sentence that never holds the password */
export async function checkServer(databaseUrl: string): Promise<void> {
  const shown = withoutPassword(databaseUrl);
  let client: pg.Client | undefined;
  let version: number;
  try {
    client = new pg.Client(serverConnection(databaseUrl));
    client.on('error', () => {});
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
    await client?.end().catch(() => {});
  }
  if (version < OLDEST_MAJOR)
    throw new StartError(
      `The database ${shown} (DATABASE_URL) is PostgreSQL ${version}, but Sigma needs ${OLDEST_MAJOR} or newer.`,
    );
}

function reason(error: unknown): string {
  return reasons[codeOf(error)] ?? whyUnreachable(error) ?? 'it does not answer as PostgreSQL';
}

const reasons: Record<string, string> = {
  '28P01': 'it refuses this user or password',
  '28000': 'it refuses this user',
  ENOENT: 'a certificate or key that it names is not there',
  EACCES: 'a certificate or key that it names may not be read',
  '3D000': 'there is no database of that name',
  '42501': 'this user may not use it',
  '53300': 'it has no connection left',
  '57P03': 'it is still starting',
};

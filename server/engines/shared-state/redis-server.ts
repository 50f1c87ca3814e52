import { StartError } from '#server/lib/start-error';
import { whyUnreachable, withoutPassword } from '#server/lib/unreachable';

/** The oldest version with all commands in use. */
const OLDEST = [6, 2] as const;

/**
 * Checks that the server can be used, by its `INFO`. A Valkey server also states the Redis version it is
 * compatible with.
 * @throws StartError
 */
export function checkServer(url: string, info: string): void {
  const version = /^redis_version:(\S+)/m.exec(info)?.[1];
  if (version === undefined) throw new Error('It says no version.');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new StartError(
      `The server ${withoutPassword(url)} (REDIS_URL) is Redis ${version}, but Sigma needs ${OLDEST.join('.')} or newer.`,
    );
  if (/^redis_mode:cluster/m.test(info))
    throw new StartError(
      `The server ${withoutPassword(url)} (REDIS_URL) is part of a Redis cluster, but Sigma needs one server, with replicas or without.`,
    );
}

/** The error that stops the start when a server cannot be used. */
export function refusalOf(url: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  const said = error instanceof Error ? error.message : '';
  const reason =
    whyUnreachable(error) ??
    refusals.find(([pattern]) => pattern.test(said))?.[1] ??
    'it does not answer as Redis';
  return new StartError(`The server ${withoutPassword(url)} (REDIS_URL) cannot be used: ${reason}.`, {
    cause: error,
  });
}

const refusals: readonly [RegExp, string][] = [
  [/^WRONGPASS|AUTH .{0,40}called without any password/i, 'it refuses this user or password'],
  [/^NOAUTH/i, 'it needs a password'],
  [/^NOPERM/i, 'this user may not use it'],
  [/DB index/i, 'there is no database of that number'],
  [/pathname/i, 'what follows its host must be the number of a database'],
  [/^LOADING/i, 'it is still starting'],
];

import { startedWith } from '#server/lib/environment';
import type { Logger } from '#server/telemetry/logger';
import { type Config, readConfig } from './config.ts';
import { ConfigError, secretSettings } from './in-environment.ts';
import { lookAtSecretFile, readSecretFile, takeUpSecret } from './secret-file.ts';

/**
 * Puts a secret of these settings to use, by the setting's name. Returns whether it is in use now; otherwise
 * it waits for the next start. Settings not listed here do not concern this program.
 */
export type SecretTakers = Readonly<Record<string, (config: Config) => boolean | Promise<boolean>>>;

interface SecretWatch {
  /** Checks at once. Resolves when changes are in use; never rejects. */
  look(): Promise<void>;
  stop(): void;
}

/**
 * Interval of checks in milliseconds. Polling, not watching: vaults and Kubernetes replace the folder of the
 * file, which file watchers do not notice.
 */
const LOOK_MS = 30_000;

/**
 * Polls the files that hold secrets and puts changes to use. A secret that cannot be used is logged once, and
 * the previous one stays in use.
 * @param env replaces the process's environment, for tests
 */
export function watchSecrets(options: {
  takers: SecretTakers;
  logger: Pick<Logger, 'info' | 'warn'>;
  env?: NodeJS.ProcessEnv;
  everyMs?: number;
}): SecretWatch {
  const { takers, logger, env = startedWith(), everyMs = LOOK_MS } = options;
  const files = filesOf(env);
  /** The refused content of each file, to report it once. null: it was unreadable. */
  const refused = new Map<string, string | null>();
  /** Changed settings that are not in use yet. */
  const waiting = new Set<string>();

  /** @returns a file's content if it is new; null if unreadable */
  async function changeOf(path: string): Promise<string | null | undefined> {
    const now = await lookAtSecretFile(path).catch(() => null);
    if (now === readSecretFile(path)) {
      refused.delete(path);
      return undefined;
    }
    return refused.has(path) && refused.get(path) === now ? undefined : now;
  }

  function refuse(path: string, now: string | null, problem: string): void {
    refused.set(path, now);
    logger.warn(
      { settings: files.get(path), problem },
      'a changed secret was rejected: the previous one stays in use',
    );
  }

  async function lookAtAll(): Promise<void> {
    for (const [path, names] of files) {
      const now = await changeOf(path);
      if (now === undefined) continue;
      if (now === null) {
        refuse(path, now, 'The file cannot be read, is empty, or is too long.');
        continue;
      }
      try {
        const said = names.flatMap((name) => [
          [name, now],
          [`${name}_FILE`, ''],
        ]);
        readConfig({ ...env, ...Object.fromEntries(said) });
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        refuse(path, now, error.message);
        continue;
      }
      refused.delete(path);
      takeUpSecret(path, now);
      for (const name of names) if (name in takers) waiting.add(name);
    }
    if (waiting.size === 0) return;
    const config = readConfig(env);
    for (const name of waiting) {
      try {
        const isInUse = await takers[name]?.(config);
        waiting.delete(name);
        if (isInUse) logger.info({ setting: name }, 'a changed secret is in use');
        else logger.warn({ setting: name }, 'a changed secret waits for the next start');
      } catch (error) {
        logger.warn({ err: error, setting: name }, 'a changed secret could not be put to use yet');
      }
    }
  }

  let looking = Promise.resolve();
  const look = () => {
    looking = looking
      .then(lookAtAll)
      .catch((error: unknown) => logger.warn({ err: error }, 'secret files could not be checked'));
    return looking;
  };
  const timer = files.size > 0 ? setInterval(() => void look(), everyMs).unref() : undefined;
  return { look, stop: () => clearInterval(timer) };
}

/** Settings by file: one file may hold the key for several. */
function filesOf(env: NodeJS.ProcessEnv): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const name of secretSettings) {
    const path = env[`${name}_FILE`]?.trim();
    if (path) files.set(path, [...(files.get(path) ?? []), name]);
  }
  return files;
}

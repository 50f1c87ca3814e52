import { startedWith } from '#server/lib/environment';
import type { Logger } from '#server/telemetry/logger';
import { type Config, readConfig } from './config.ts';
import { ConfigError, secretSettings } from './in-environment.ts';
import { lookAtSecretFile, readSecretFile, takeUpSecret } from './secret-file.ts';

/**
 * Takes a secret of these settings into use, by the setting's name. It answers whether it is in use now; else it waits for the
 * next start. A setting that is not here is none of this program's.
 */
export type SecretTakers = Readonly<Record<string, (config: Config) => boolean | Promise<boolean>>>;

interface SecretWatch {
  /** Looks at once. Resolves when what has changed is in use; never rejects. */
  look(): Promise<void>;
  stop(): void;
}

/**
 * How long a secret that has changed may wait. A look and not a watch: vaults and Kubernetes put another folder in the place
 * of the file's, which the operating system tells nobody who watches the file.
 */
const LOOK_MS = 30_000;

/**
 * Looks again and again at the files that hold secrets, and has those that changed taken into use. What cannot be used is
 * told to the log, once, and the secret of before stays in use.
 * @param env what the process was started with, unless a test has its own
 */
export function watchSecrets(options: {
  takers: SecretTakers;
  logger: Pick<Logger, 'info' | 'warn'>;
  env?: NodeJS.ProcessEnv;
  everyMs?: number;
}): SecretWatch {
  const { takers, logger, env = startedWith(), everyMs = LOOK_MS } = options;
  const files = filesOf(env);
  /** What was refused of a file: it is said once. null: it could not be read. */
  const refused = new Map<string, string | null>();
  /** Settings that have changed and are not in use yet. */
  const waiting = new Set<string>();

  /** @returns what a file holds, if that is new; null where it cannot be read */
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
    logger.warn({ settings: files.get(path), problem }, 'a changed secret is refused: that of before stays');
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
        logger.warn({ err: error, setting: name }, 'a changed secret could not be taken into use yet');
      }
    }
  }

  let looking = Promise.resolve();
  const look = () => {
    looking = looking
      .then(lookAtAll)
      .catch((error: unknown) => logger.warn({ err: error }, 'files of secrets could not be looked at'));
    return looking;
  };
  const timer = files.size > 0 ? setInterval(() => void look(), everyMs).unref() : undefined;
  return { look, stop: () => clearInterval(timer) };
}

/** The settings that each file holds: one may be the key of several. */
function filesOf(env: NodeJS.ProcessEnv): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const name of secretSettings) {
    const path = env[`${name}_FILE`]?.trim();
    if (path) files.set(path, [...(files.get(path) ?? []), name]);
  }
  return files;
}

import { startedWith, withhold } from '#server/lib/environment';
import { StartError } from '#server/lib/start-error';
import { readSecretFile } from './secret-file.ts';
import { type SettingFacts, settingFacts, settings } from './settings.ts';

/** Stops the start with one sentence that names the wrong setting. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';
}

/**
 * A setting's value in the environment, or for a secret the content of the file that the environment names;
 * null if absent or blank.
 * @throws ConfigError if the named file cannot be used
 */
export function inEnvironment(name: string, env: NodeJS.ProcessEnv = startedWith()): string | null {
  const said = env[name]?.trim() || null;
  const byFile = `${name}_FILE`;
  const file = env[byFile]?.trim();
  if (!file) return said;
  if (!factsOf(name).secret)
    throw new ConfigError(
      `The setting ${byFile} is not known: only secrets are taken from files. Set ${name}.`,
    );
  if (said !== null)
    throw new ConfigError(`The settings ${name} and ${byFile} are both there: remove one of the two.`);
  try {
    return readSecretFile(file);
  } catch {
    throw new ConfigError(
      `The setting ${byFile}=${file} is wrong: it must be a file that this process may read, with a secret in it, of at most 64 kB.`,
    );
  }
}

/** Facts about a setting. */
export function factsOf(name: string): SettingFacts {
  const row = Object.entries(settings.shape).find(([known]) => known === name)?.[1];
  return (row && settingFacts.get(row)) ?? {};
}

/** Every setting that may hold a password or key. */
export const secretSettings: readonly string[] = Object.keys(settings.shape).filter(
  (name) => factsOf(name).secret,
);

/** Removes all secrets from this process's environment once read; the settings still have them. */
export const withholdSecrets = (): void => withhold(secretSettings);

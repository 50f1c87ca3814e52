import { startedWith, withhold } from '#server/lib/environment';
import { StartError } from '#server/lib/start-error';
import { readSecretFile } from './secret-file.ts';
import { type SettingFacts, settingFacts, settings } from './settings.ts';

/** One sentence that names the wrong setting; the start stops with it. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';
}

/**
 * What the environment says of a setting, or of a secret one the file that the environment names; null where it says
 * nothing, or is blank.
 * @throws ConfigError where it names a file that cannot be taken
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

/** What else is known of a setting. */
export function factsOf(name: string): SettingFacts {
  const row = Object.entries(settings.shape).find(([known]) => known === name)?.[1];
  return (row && settingFacts.get(row)) ?? {};
}

/** Every setting that may hold a password or key. */
export const secretSettings: readonly string[] = Object.keys(settings.shape).filter(
  (name) => factsOf(name).secret,
);

/** Takes every secret out of the environment of this process, once it has been read: the settings know it still. */
export const withholdSecrets = (): void => withhold(secretSettings);

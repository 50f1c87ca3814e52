import { type EngineCapability, engineCapabilities } from '#shared/engine-settings';
import { type Config, readConfig } from './config.ts';
import { ConfigError } from './in-environment.ts';

/** Settings by their names in the environment. */
export type SettingValues = Readonly<Record<string, string>>;

/** Saved settings of each engine; null: no longer readable. */
export type StoredSettings = Readonly<Partial<Record<EngineCapability, SettingValues | null>>>;

/** Why an engine's saved settings are not used. */
type StoredProblems = Readonly<Partial<Record<EngineCapability, string>>>;

const UNREADABLE = 'What was saved here cannot be read any more. Save it again.';

/**
 * The environment's settings with those that owners saved. Saved ones that conflict or are unreadable are
 * left out.
 * @param env replaces the process's environment, for tests
 * @throws ConfigError if the environment alone is wrong
 */
export function withStored(
  stored: StoredSettings,
  env?: NodeJS.ProcessEnv,
): { config: Config; problems: StoredProblems } {
  const problems: Partial<Record<EngineCapability, string>> = {};
  let taken: SettingValues = {};
  let config = readConfig(env);
  for (const capability of engineCapabilities) {
    const values = stored[capability];
    if (values === undefined) continue;
    if (values === null) {
      problems[capability] = UNREADABLE;
      continue;
    }
    try {
      config = readConfig(env, { ...taken, ...values });
      taken = { ...taken, ...values };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems[capability] = error.message;
    }
  }
  return { config, problems };
}

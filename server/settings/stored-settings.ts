import { type EngineCapability, engineCapabilities } from '#shared/engine-settings';
import { type Config, readConfig } from './config.ts';
import { ConfigError } from './in-environment.ts';

/** Settings by their names in the environment. */
export type SettingValues = Readonly<Record<string, string>>;

/** What owners have saved of each engine; null: it cannot be read any more. */
export type StoredSettings = Readonly<Partial<Record<EngineCapability, SettingValues | null>>>;

/** Says of an engine why what is saved for it is not used. */
type StoredProblems = Readonly<Partial<Record<EngineCapability, string>>>;

const UNREADABLE = 'What was saved here cannot be read any more. Save it again.';

/**
 * The settings of the environment with what owners saved beside it. What does not go with it, or cannot be read, is left out.
 * @param env what the process was started with, unless a test has its own
 * @throws ConfigError where the environment is wrong by itself
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

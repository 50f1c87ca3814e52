import type { Database } from '#server/database/open';
import type { Dialogue } from '#server/dialogue/contract';
import type { Engines } from '#server/engines/index';
import type { Passwords } from '#server/features/accounts/passwords';
import type { Principal } from '#server/lib/principal';
import type { Config } from '#server/settings/config';
import type { Logger } from '#server/telemetry/logger';
import type { Metrics } from '#server/telemetry/metrics';
import type { TurnStory } from '#server/telemetry/timeline';

type AppConfig = Pick<Config, 'publicUrl' | 'corsOrigins' | 'rateLimit'> &
  Partial<
    Pick<
      Config,
      | 'quotas'
      | 'rooms'
      | 'registration'
      | 'sessionIdleMs'
      | 'allowedHosts'
      | 'trustedProxies'
      | 'retentionDays'
      | 'audioStaysHere'
      | 'dataDir'
      | 'documents'
    >
  >;

/** The parts of the app. `main` passes the real ones; tests pass fakes. */
export interface AppParts {
  config: AppConfig;
  database: Database;
  engines: Engines;
  dialogue: Dialogue;
  logger: Logger;
  /** The operator's metrics; none by default. */
  metrics?: Metrics;
  /** Called with each ended turn. */
  onTurn?: (story: TurnStory) => void;
  /** How long to try a change of an agent before it is saved, in milliseconds. */
  effectsWithinMs?: number;
  /** Finds the principal of a token that belongs to no session and is no key. */
  authenticate?: (token: string) => Promise<Principal | null>;
  /** Password hashing; argon2id by default. */
  passwords?: Passwords;
  /** The folder of the built web page; the build's by default. */
  webAssets?: string;
  /** The environment of the process, unless a test passes its own. */
  environment?: NodeJS.ProcessEnv;
}

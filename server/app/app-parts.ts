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

/** What the app is made of. `main` gives it the real parts; tests give it fakes. */
export interface AppParts {
  config: AppConfig;
  database: Database;
  engines: Engines;
  dialogue: Dialogue;
  logger: Logger;
  /** What an operator counts by; none by default. */
  metrics?: Metrics;
  /** Told of each turn that has ended. */
  onTurn?: (story: TurnStory) => void;
  /** How long a change of an agent is tried before it is saved, in milliseconds. */
  effectsWithinMs?: number;
  /** Who a token is of that is none of a session. */
  authenticate?: (token: string) => Promise<Principal | null>;
  /** How passwords are kept; by default with argon2id. */
  passwords?: Passwords;
  /** The built web page; by default where the build puts it. */
  webAssets?: string;
  /** What the process was started with, unless a test has its own. */
  environment?: NodeJS.ProcessEnv;
}

import { isDeepStrictEqual } from 'node:util';
import type { App } from '#server/app/app';
import type { Database } from '#server/database/open';
import type { EngineConfig } from '#server/engines/controls';
import type { Engines } from '#server/engines/index';
import type { SecretTakers } from '#server/settings/watch-secrets';

type Taker = SecretTakers[string];

/** The secrets of a server with their users, which may take new values at run time. */
export function takeSecrets({
  database,
  engines,
  app,
}: {
  database: Pick<Database, 'takeUrl'>;
  engines: Pick<Engines, 'mail' | 'identity'> & {
    sharedState: Pick<Engines['sharedState'], 'takeUrl'>;
    controls: Pick<Engines['controls'], 'inUse'>;
  };
  app: Pick<App, 'takeUpSettings'>;
}): SecretTakers {
  const { sharedState, mail, identity, controls } = engines;

  /** An engine whose settings owners may change, too. */
  const engine =
    (section: (config: EngineConfig) => unknown): Taker =>
    async () =>
      isDeepStrictEqual(section(await app.takeUpSettings()), section(controls.inUse));
  const language = engine(({ languageModels }) => languageModels);
  const ears = engine(({ speechRecognition }) => speechRecognition);
  const voice = engine(({ speechSynthesis }) => speechSynthesis);
  const rooms = engine(({ rooms: { livekit, keys } }) => ({ livekit, keys }));
  const storage = engine(({ mediaBucket }) => mediaBucket);
  const openAi = engine(({ languageModels, speechRecognition, speechSynthesis }) => [
    languageModels,
    speechRecognition,
    speechSynthesis,
  ]);

  return {
    DATABASE_URL: ({ databaseUrl }) => (databaseUrl !== null && database.takeUrl?.(databaseUrl)) ?? false,
    REDIS_URL: ({ redisUrl }) => (redisUrl !== null && sharedState.takeUrl?.(redisUrl)) ?? false,
    SMTP_URL({ mail: next }) {
      if (next) mail?.takeUrl(next.url);
      return next !== null && mail !== null;
    },
    OIDC_CLIENT_SECRET({ oidc: next }) {
      if (next) identity?.takeSecret(next.clientSecret);
      return next !== null && identity !== null;
    },
    S3_ENDPOINT: storage,
    S3_ACCESS_KEY_ID: storage,
    S3_SECRET_ACCESS_KEY: storage,
    LLM_BASE_URL: language,
    LLM_API_KEY: language,
    ANTHROPIC_API_KEY: language,
    STT_BASE_URL: ears,
    STT_API_KEY: ears,
    TTS_BASE_URL: voice,
    TTS_API_KEY: voice,
    OPENAI_API_KEY: openAi,
    LIVEKIT_URL: rooms,
    LIVEKIT_API_KEY: rooms,
    LIVEKIT_API_SECRET: rooms,
    OTEL_EXPORTER_OTLP_ENDPOINT: () => false,
  };
}

import { resolve } from 'node:path';
import { z } from 'zod';
import { StartError } from './start-error.ts';

const httpUrl = z.url({ protocol: /^https?$/ });
const blankAsAbsent = (value: unknown) => (typeof value === 'string' ? value.trim() || undefined : value);
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blankAsAbsent, schema.optional());

/** Every setting: its name in the environment, what it must be, and the sentence a wrong one stops the start with. */
const settings = z.object({
  PORT: z.preprocess(
    blankAsAbsent,
    z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .pipe(z.number().max(65_535))
      .default(3000),
  ),
  HOST: z.preprocess(blankAsAbsent, z.string().default('127.0.0.1')),
  DATA_DIR: z.preprocess(blankAsAbsent, z.string().default('./data')),
  MODELS_DIR: z.preprocess(blankAsAbsent, z.string().default('./models')),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })),
  LLM_BASE_URL: optional(httpUrl),
  LLM_MODEL: optional(z.string()),
  LLM_API_KEY: optional(z.string()),
  STT_BASE_URL: optional(httpUrl),
  STT_MODEL: optional(z.string()),
  STT_API_KEY: optional(z.string()),
  TTS_BASE_URL: optional(httpUrl),
  TTS_MODEL: optional(z.string()),
  TTS_VOICE: optional(z.string()),
  TTS_API_KEY: optional(z.string()),
  OPENAI_API_KEY: optional(z.string()),
  S3_BUCKET: optional(z.string().regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/)),
  S3_ENDPOINT: optional(httpUrl),
  S3_REGION: optional(z.string().regex(/^[a-z\d-]{1,64}$/)),
  S3_ACCESS_KEY_ID: optional(z.string()),
  S3_SECRET_ACCESS_KEY: optional(z.string()),
  LIVEKIT_URL: optional(z.url({ protocol: /^(?:wss?|https?)$/ })),
  LIVEKIT_API_KEY: optional(z.string()),
  LIVEKIT_API_SECRET: optional(z.string()),
  ROOMS_UDP_PORTS: optional(z.string().regex(/^\d{1,5}-\d{1,5}$/)),
  ROOMS_ADDRESS: optional(z.union([z.ipv4(), z.ipv6()])),
  CORS_ORIGINS: optional(z.string()),
  PUBLIC_URL: optional(httpUrl),
  LOG_LEVEL: z.preprocess(
    blankAsAbsent,
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ),
  RATE_LIMIT: z.preprocess(blankAsAbsent, z.enum(['on', 'off']).default('on')),
});

export interface Config {
  port: number;
  host: string;
  /** Absolute path. */
  dataDir: string;
  /** Absolute path of the speech weights. */
  modelsDir: string;
  /** `null` means the embedded database in `dataDir`. */
  databaseUrl: string | null;
  /** `null` means the embedded grounded responder. */
  languageModel: { baseUrl: string; model: string; apiKey: string | null } | null;
  /** `null` means the embedded recognition. */
  speechRecognition: { baseUrl: string; model: string; apiKey: string | null } | null;
  /** `null` means the embedded voice. */
  speechSynthesis: { baseUrl: string; model: string; voice: string; apiKey: string | null } | null;
  /** `null` means files below `dataDir`. */
  mediaBucket: {
    bucket: string;
    region: string;
    /** `null`: Amazon's. */
    endpoint: string | null;
    /** `null`: what the machine itself has been given. */
    credentials: { accessKeyId: string; secretAccessKey: string } | null;
  } | null;
  rooms: {
    /** `null` means the embedded room server. */
    livekit: { url: string; apiKey: string; apiSecret: string } | null;
    /** Keys for the embedded room server, so that LiveKit's own tools can manage it; `null`: it makes its own. */
    keys: { apiKey: string; apiSecret: string } | null;
    /** UDP ports the embedded room server may use for sound and pictures; `null`: any free one. */
    udpPorts: { min: number; max: number } | null;
    /** The IP address under which browsers reach those ports, where that is not an address of this machine. */
    address: string | null;
  };
  /** Origins besides the server's own that may call it from a browser. */
  corsOrigins: string[];
  publicUrl: string | null;
  logLevel: z.infer<typeof settings>['LOG_LEVEL'];
  rateLimit: boolean;
}

/** One sentence that names the wrong setting; the start stops with it. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';
}

/**
 * Reads and checks the settings. The only reader of the environment.
 * @throws ConfigError naming the first wrong setting.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const parsed = settings.safeParse(env);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0]);
    const value = secrets.has(name) ? '' : `=${env[name] ?? ''}`;
    throw new ConfigError(
      `The setting ${name}${value} is wrong: it ${expectations[name] ?? 'cannot be read'}.`,
    );
  }
  const s = parsed.data;
  if (s.LLM_BASE_URL && !s.LLM_MODEL)
    throw new ConfigError(
      'The setting LLM_MODEL is missing: LLM_BASE_URL needs the name of the model to ask for.',
    );
  return {
    port: s.PORT,
    host: s.HOST,
    dataDir: resolve(s.DATA_DIR),
    modelsDir: resolve(s.MODELS_DIR),
    databaseUrl: s.DATABASE_URL ?? null,
    languageModel:
      s.LLM_BASE_URL && s.LLM_MODEL
        ? { baseUrl: s.LLM_BASE_URL, model: s.LLM_MODEL, apiKey: s.LLM_API_KEY ?? null }
        : null,
    speechRecognition: s.STT_BASE_URL
      ? {
          baseUrl: s.STT_BASE_URL,
          model: s.STT_MODEL ?? 'whisper-1',
          apiKey: s.STT_API_KEY ?? openAiKey(s, s.STT_BASE_URL),
        }
      : null,
    speechSynthesis: s.TTS_BASE_URL
      ? {
          baseUrl: s.TTS_BASE_URL,
          model: s.TTS_MODEL ?? 'tts-1',
          voice: s.TTS_VOICE ?? 'alloy',
          apiKey: s.TTS_API_KEY ?? openAiKey(s, s.TTS_BASE_URL),
        }
      : null,
    mediaBucket: readBucket(s),
    rooms: {
      ...readLiveKit(s),
      udpPorts: readUdpPorts(s.ROOMS_UDP_PORTS),
      address: s.ROOMS_ADDRESS ?? null,
    },
    corsOrigins: readOrigins(s.CORS_ORIGINS),
    publicUrl: s.PUBLIC_URL ?? null,
    logLevel: s.LOG_LEVEL,
    rateLimit: s.RATE_LIMIT === 'on',
  };
}

/** The key of OpenAI goes to OpenAI alone, and never moves audio there by itself: the address must be set. */
const openAiKey = (s: z.infer<typeof settings>, baseUrl: string): string | null =>
  new URL(baseUrl).hostname === 'api.openai.com' ? (s.OPENAI_API_KEY ?? null) : null;

function readBucket(s: z.infer<typeof settings>): Config['mediaBucket'] {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = s;
  if (!bucket) {
    if (endpoint)
      throw new ConfigError(
        'The setting S3_BUCKET is missing: S3_ENDPOINT needs the name of the bucket to use there.',
      );
    return null;
  }
  if (!id !== !secret)
    throw new ConfigError(
      `The setting ${id ? 'S3_SECRET_ACCESS_KEY' : 'S3_ACCESS_KEY_ID'} is missing: set both keys, or none to use what the machine has been given.`,
    );
  return {
    bucket,
    region: s.S3_REGION ?? 'us-east-1',
    endpoint: endpoint ?? null,
    credentials: id && secret ? { accessKeyId: id, secretAccessKey: secret } : null,
  };
}

function readLiveKit(s: z.infer<typeof settings>): Pick<Config['rooms'], 'livekit' | 'keys'> {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = s;
  if (apiKey && apiSecret)
    return url
      ? { livekit: { url, apiKey, apiSecret }, keys: null }
      : { livekit: null, keys: { apiKey, apiSecret } };
  if (!url && !apiKey && !apiSecret) return { livekit: null, keys: null };
  throw new ConfigError(
    `The setting ${apiKey ? 'LIVEKIT_API_SECRET' : 'LIVEKIT_API_KEY'} is missing: a room server needs a key and the secret of that key.`,
  );
}

function readUdpPorts(range: string | undefined): Config['rooms']['udpPorts'] {
  if (range === undefined) return null;
  const [min = 0, max = 0] = range.split('-').map(Number);
  if (min >= 1 && max <= 65_535 && max - min >= 1) return { min, max };
  throw new ConfigError(`The setting ROOMS_UDP_PORTS=${range} is wrong: it ${expectations.ROOMS_UDP_PORTS}.`);
}

function readOrigins(list: string | undefined): string[] {
  const origins = (list ?? '')
    .split(',')
    .map((origin) => origin.trim())
    .filter(Boolean);
  for (const origin of origins) {
    const url = URL.canParse(origin) ? new URL(origin) : null;
    if (!url || url.origin !== origin)
      throw new ConfigError(
        `The setting CORS_ORIGINS is wrong: "${origin}" is not an origin such as https://care.example.com.`,
      );
  }
  return origins;
}

/** May hold a password, so what was written there is not repeated. */
const secrets = new Set([
  'DATABASE_URL',
  'LLM_BASE_URL',
  'LLM_API_KEY',
  'STT_BASE_URL',
  'STT_API_KEY',
  'TTS_BASE_URL',
  'TTS_API_KEY',
  'OPENAI_API_KEY',
  'S3_ENDPOINT',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'LIVEKIT_URL',
  'LIVEKIT_API_KEY',
  'LIVEKIT_API_SECRET',
]);

const expectations: Record<string, string> = {
  PORT: 'must be a whole number from 0 to 65535',
  DATABASE_URL: 'must look like postgresql://user:password@host:5432/name',
  LLM_BASE_URL: 'must be an http(s) address such as http://127.0.0.1:11434/v1',
  STT_BASE_URL: 'must be an http(s) address such as https://api.openai.com/v1',
  TTS_BASE_URL: 'must be an http(s) address such as https://api.openai.com/v1',
  S3_BUCKET: 'must be the name of a bucket: 3 to 63 small letters, digits, dots and dashes',
  S3_ENDPOINT: 'must be an http(s) address such as http://127.0.0.1:9000',
  S3_REGION: 'must be the name of a region such as eu-central-1',
  LIVEKIT_URL: 'must be the address of a LiveKit server such as wss://rooms.example.com',
  ROOMS_UDP_PORTS: 'must be two ports from 1 to 65535, the lower one first, such as 50000-50200',
  ROOMS_ADDRESS: 'must be an IP address such as 203.0.113.7',
  PUBLIC_URL: 'must be an http(s) address such as https://care.example.com',
  LOG_LEVEL: 'must be one of fatal, error, warn, info, debug, trace, silent',
  RATE_LIMIT: 'must be on or off',
};

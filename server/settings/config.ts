import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { startedWith } from '#server/lib/environment';
import { isNearHost } from '#server/lib/near';
import type { Checking } from '#shared/engine-settings';
import { ConfigError, factsOf, inEnvironment } from './in-environment.ts';
import { type OwnModelChoice, ownModelChoice, ownModelName } from './own-models.ts';
import { type Settings, settings } from './settings.ts';

/** A model that runs on this machine. */
export interface OwnModelSettings {
  kind: 'own';
  model: string;
  choice: OwnModelChoice;
  /** Hexadecimal; null: not stated. */
  sha256: string | null;
  /** Alternative source for files of the list. */
  source: string | null;
  /** The program that runs it; null: the fetched one. */
  server: string | null;
  /** Its key is generated and internal. */
  apiKey: null;
  checking: Checking;
}

/** A model of one's own, an OpenAI-compatible server, or Anthropic's. */
export type LanguageModelSettings =
  | OwnModelSettings
  | { kind: 'openai'; baseUrl: string; model: string; apiKey: string | null; checking: Checking }
  /** `baseUrl` null: Anthropic's own. */
  | { kind: 'anthropic'; baseUrl: string | null; model: string; apiKey: string; checking: Checking };

interface ModelPrice {
  model: string;
  /** Tokens read. */
  input: number;
  /** Tokens written. */
  output: number;
}

export interface ModelUseSettings {
  /** Price of each model by name, in US dollars per million tokens; other models have no known price. */
  prices: ModelPrice[];
  /** Limit for all models together, per UTC day; `null`: unlimited. */
  tokensPerDay: number | null;
}

export interface Config {
  port: number;
  host: string;
  /** Absolute path. */
  dataDir: string;
  /** Absolute path of the speech weights. */
  modelsDir: string;
  /** `null` means the embedded database in `dataDir`. */
  databaseUrl: string | null;
  /** Server for state that instances share; `null`: single instance. */
  redisUrl: string | null;
  /** In the order in which they are asked; empty means the embedded grounded responder. */
  languageModels: LanguageModelSettings[];
  /** Prices and limits of language models. */
  modelUse: ModelUseSettings;
  /** `null` means the embedded recognition. */
  speechRecognition: { baseUrl: string; model: string; apiKey: string | null } | null;
  /** `null` means the embedded voice. */
  speechSynthesis: { baseUrl: string; model: string; voice: string; apiKey: string | null } | null;
  /** Address of the speech server for others. */
  speechServer: {
    host: string;
    port: number;
    /** `null`: no key is required. */
    apiKey: string | null;
  };
  /** `null` means files below `dataDir`. */
  mediaBucket: {
    bucket: string;
    region: string;
    /** `null`: Amazon's. */
    endpoint: string | null;
    /** `null`: the machine's own credentials. */
    credentials: { accessKeyId: string; secretAccessKey: string } | null;
  } | null;
  /** Address of ClamAV's daemon; `null`: nothing is scanned. */
  antivirus: { path: string } | { host: string; port: number } | null;
  rooms: {
    /** `null` means the embedded room server. */
    livekit: { url: string; apiKey: string; apiSecret: string } | null;
    /**
     * Keys for the embedded room server, so that LiveKit's own tools can manage it; `null`: it creates its
     * own.
     */
    keys: { apiKey: string; apiSecret: string } | null;
    /** UDP ports of the embedded room server for sound and pictures; `null`: any free one. */
    udpPorts: { min: number; max: number } | null;
    /** The IP address at which browsers reach those ports, if it is not an address of this machine. */
    address: string | null;
    /** Who may join a new room. */
    access: Settings['ROOM_ACCESS'];
    /** STUN servers that discover the public address; `null`: not settled. */
    stunServers: string[] | null;
  };
  /** Further origins that may call the server from a browser. */
  corsOrigins: string[];
  /** Limits of one account. */
  quotas: { agents: number; conversationsPerDay: number; charactersPerDay: number; calls: number };
  /** Collector of turns' traces; `null`: none. */
  traces: { endpoint: string; serviceName: string } | null;
  /** Address that serves metrics; `null`: none. */
  metrics: { host: string; port: number } | null;
  publicUrl: string | null;
  /** Addresses and CIDR ranges of the reverse proxies in front; `null`: not stated. */
  trustedProxies: string[] | null;
  /** Who may register, until an owner settles it. */
  registration: Settings['REGISTRATION'];
  /** How long an unused session stays valid, in milliseconds. */
  sessionIdleMs: number;
  /** Mail server; `null`: no mail is sent. */
  mail: { url: string; from: string } | null;
  /** Trusted identity provider; `null`: none. */
  oidc: { issuer: string; clientId: string; clientSecret: string; label: string } | null;
  /** Host names in addition to those always allowed; `.name` allows all below it, `*` any. */
  allowedHosts: string[];
  /** Hosts in private networks that actions may call, with or without port. */
  actionsPrivateHosts: string[];
  /** IANA name; `null`: the machine's time zone. */
  timeZone: string | null;
  logLevel: Settings['LOG_LEVEL'];
  rateLimit: boolean;
  /** Days after its last message after which a conversation is deleted; `null`: never. */
  retentionDays: number | null;
  /** Limits of one account's documents. */
  documents: { documents: number; characters: number };
  /** Audio must not leave this server. */
  audioStaysHere: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const OPENAI_ADDRESS = 'https://api.openai.com/v1';

/**
 * Reads and validates the settings.
 * @param stored values that owners saved, by the same names; the environment wins
 * @throws ConfigError naming the first wrong setting
 */
export function readConfig(
  env: NodeJS.ProcessEnv = startedWith(),
  stored: Readonly<Record<string, string>> = {},
): Config {
  const given: Record<string, string> = { ...stored };
  for (const name of Object.keys(settings.shape)) {
    const said = inEnvironment(name, env);
    if (said !== null) given[name] = said;
  }
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw wrong(String(issue?.path[0]), given);
  }
  const s = parsed.data;
  if (s.LLM_BASE_URL && !s.LLM_MODEL)
    throw new ConfigError(
      'The setting LLM_MODEL is missing: LLM_BASE_URL needs the name of the model to ask for.',
    );
  refusePlain(s);
  refusePlainModel(s);
  const languageModels = readLanguageModels(s);
  return {
    port: s.PORT,
    host: s.HOST,
    dataDir: resolve(s.DATA_DIR),
    modelsDir: resolve(s.MODELS_DIR),
    databaseUrl: s.DATABASE_URL ?? null,
    redisUrl: s.REDIS_URL ?? null,
    languageModels,
    modelUse: { prices: readPrices(s, languageModels), tokensPerDay: s.LLM_TOKENS_PER_DAY ?? null },
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
    speechServer: readSpeechServer(s),
    mediaBucket: readBucket(s),
    antivirus: readAntivirus(s),
    rooms: {
      ...readLiveKit(s),
      udpPorts: readUdpPorts(s.ROOMS_UDP_PORTS),
      address: s.ROOMS_ADDRESS ?? null,
      access: s.ROOM_ACCESS,
      stunServers: readStunServers(s),
    },
    corsOrigins: readOrigins(s.CORS_ORIGINS),
    quotas: {
      agents: s.AGENTS_PER_ACCOUNT,
      conversationsPerDay: s.CONVERSATIONS_PER_DAY,
      charactersPerDay: s.MILLION_CHARACTERS_PER_DAY * 1e6,
      calls: s.CALLS_PER_ACCOUNT,
    },
    traces: s.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: s.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: s.OTEL_SERVICE_NAME }
      : null,
    metrics: s.METRICS_PORT === undefined ? null : { host: s.METRICS_HOST, port: s.METRICS_PORT },
    publicUrl: s.PUBLIC_URL ?? null,
    trustedProxies: readProxies(s.TRUSTED_PROXIES),
    registration: s.REGISTRATION,
    sessionIdleMs: s.SESSION_IDLE_DAYS * DAY_MS,
    mail: readMail(s),
    oidc: readOidc(s),
    allowedHosts: readHosts(s.ALLOWED_HOSTS),
    actionsPrivateHosts: readPrivateHosts(s.ACTIONS_PRIVATE_HOSTS),
    timeZone: s.TIME_ZONE ?? null,
    logLevel: s.LOG_LEVEL,
    rateLimit: s.RATE_LIMIT === 'on',
    retentionDays: s.RETENTION_DAYS ?? null,
    documents: {
      documents: s.DOCUMENTS_PER_ACCOUNT,
      characters: s.DOCUMENTS_MILLION_CHARACTERS * 1_000_000,
    },
    audioStaysHere: staysHere(s),
  };
}

/** Requires encryption for traffic that leaves this network: keys, customers' words, and stored data. */
function refusePlain(s: Settings): void {
  const names = [
    'LLM_BASE_URL',
    'STT_BASE_URL',
    'TTS_BASE_URL',
    'S3_ENDPOINT',
    'LIVEKIT_URL',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
  ] as const;
  for (const name of names) {
    const { protocol, hostname } = s[name] ? new URL(s[name]) : {};
    if (hostname !== undefined && /^(?:http|ws):$/.test(protocol ?? '') && !isNearHost(hostname))
      throw new ConfigError(
        `The setting ${name} is wrong: outside this machine and private networks it must begin with ${name === 'LIVEKIT_URL' ? 'wss' : 'https'}://, or others could read what is sent there.`,
      );
  }
  if (s.DATABASE_URL && !isEncrypted(new URL(s.DATABASE_URL)))
    throw new ConfigError(
      'The setting DATABASE_URL is wrong: outside this machine and private networks it must end with ?sslmode=verify-full, or others could read what is stored.',
    );
  const { hostname: scanner } = new URL(s.CLAMAV_URL ?? 'unix:');
  if (scanner && !isNearHost(scanner))
    throw new ConfigError(
      'The setting CLAMAV_URL is wrong: clamd speaks no TLS, so it must be on this machine or in a private network, or others could read what is sent there.',
    );
  if (s.REDIS_URL && new URL(s.REDIS_URL).protocol === 'redis:' && !isNearHost(new URL(s.REDIS_URL).hostname))
    throw new ConfigError(
      'The setting REDIS_URL is wrong: outside this machine and private networks it must begin with rediss://, or others could read what is sent there.',
    );
}

/** A file without a checksum is trustworthy only if it could not be changed on its way. */
function refusePlainModel({ LLM_OWN_MODEL: said, LLM_OWN_SHA256: sha256 }: Settings): void {
  if (!said || sha256 || !/^http:/i.test(said) || isNearHost(new URL(said).hostname)) return;
  throw new ConfigError(
    'The setting LLM_OWN_MODEL is wrong: outside this machine and private networks it must begin with https://, or LLM_OWN_SHA256 say what the file must be.',
  );
}

const isEncrypted = ({ hostname, searchParams }: URL): boolean =>
  isNearHost(hostname) || /^(?:require|verify-ca|verify-full)$/.test(searchParams.get('sslmode') ?? '');

/**
 * One's own model comes first. With OpenAI's key and a model, its own address is the default; Anthropic's
 * comes second.
 */
function readLanguageModels(s: Settings): LanguageModelSettings[] {
  const baseUrl = s.LLM_BASE_URL ?? (s.LLM_MODEL && s.OPENAI_API_KEY ? OPENAI_ADDRESS : null);
  const models: LanguageModelSettings[] = [];
  const choice = s.LLM_OWN_MODEL === undefined ? null : ownModelChoice(s.LLM_OWN_MODEL);
  if (choice)
    models.push({
      kind: 'own',
      model: ownModelName(choice),
      choice,
      sha256: s.LLM_OWN_SHA256 ?? null,
      source: s.LLM_OWN_SOURCE ?? null,
      server: s.LLM_OWN_SERVER ?? null,
      apiKey: null,
      checking: s.LLM_OWN_CHECKING,
    });
  if (baseUrl && s.LLM_MODEL)
    models.push({
      kind: 'openai',
      baseUrl,
      model: s.LLM_MODEL,
      apiKey: s.LLM_API_KEY ?? openAiKey(s, baseUrl),
      checking: s.LLM_CHECKING,
    });
  if (s.ANTHROPIC_API_KEY)
    models.push({
      kind: 'anthropic',
      baseUrl: null,
      model: s.ANTHROPIC_MODEL,
      apiKey: s.ANTHROPIC_API_KEY,
      checking: s.ANTHROPIC_CHECKING,
    });
  return models;
}

/** Each model has its own price. An older setting for all of them applies where Anthropic's has none. */
function readPrices(s: Settings, models: readonly LanguageModelSettings[]): ModelPrice[] {
  const own = pricesOf(s, 'LLM_INPUT_PRICE', 'LLM_OUTPUT_PRICE');
  const prices = {
    // No price: it costs what the machine costs.
    own: null,
    openai: own,
    anthropic: pricesOf(s, 'ANTHROPIC_INPUT_PRICE', 'ANTHROPIC_OUTPUT_PRICE') ?? own,
  };
  return models.flatMap(({ kind, model }) => {
    const known = prices[kind];
    return known ? [{ model, ...known }] : [];
  });
}

type PriceName = Extract<keyof Settings, `${string}_PRICE`>;

function pricesOf(s: Settings, inputName: PriceName, outputName: PriceName) {
  const { [inputName]: input, [outputName]: output } = s;
  if (input === undefined && output === undefined) return null;
  if (input === undefined || output === undefined)
    throw new ConfigError(
      `The setting ${input === undefined ? inputName : outputName} is missing: what a model costs is known by both prices.`,
    );
  return { input, output };
}

/** Audio that must stay here contradicts an external audio server. */
function staysHere(s: Settings): boolean {
  if (s.AUDIO_STAYS_HERE === 'off') return false;
  const elsewhere = (
    ['STT_BASE_URL', 'TTS_BASE_URL', 'LIVEKIT_URL', 'S3_ENDPOINT', 'CLAMAV_URL'] as const
  ).find((name) => {
    // A Unix socket has no host.
    const host = new URL(s[name] ?? 'unix:').hostname;
    return host !== '' && !isThisMachine(host);
  });
  const name = elsewhere ?? (s.S3_BUCKET && !s.S3_ENDPOINT ? 'S3_BUCKET' : null);
  if (name)
    throw new ConfigError(
      `The setting AUDIO_STAYS_HERE=on does not go with ${name}, by which sound would leave this server: remove one of the two.`,
    );
  return true;
}

/**
 * Warns an operator who has not named the proxy, if one on another machine may be in front. A server
 * reachable only from this machine needs none.
 */
export const unnamedProxy = ({
  host,
  publicUrl,
  trustedProxies,
}: Pick<Config, 'host' | 'publicUrl' | 'trustedProxies'>): string | null =>
  publicUrl === null || trustedProxies !== null || isThisMachine(host)
    ? null
    : 'PUBLIC_URL is set and TRUSTED_PROXIES is not: behind a proxy on another machine all visitors share its address and its limits. Name the proxy.';

const isThisMachine = (host: string) =>
  host === 'localhost' || /^\[?::1\]?$/.test(host) || /^127\.\d+\.\d+\.\d+$/.test(host);

function wrong(name: string, env: NodeJS.ProcessEnv): ConfigError {
  const { secret, expected = 'cannot be read' } = factsOf(name);
  const value = secret ? '' : `=${env[name] ?? ''}`;
  return new ConfigError(`The setting ${name}${value} is wrong: it ${expected}.`);
}

/** OpenAI's key goes only to OpenAI, and never sends audio there by itself: that address must be set. */
const openAiKey = (s: Settings, baseUrl: string): string | null =>
  new URL(baseUrl).hostname === 'api.openai.com' ? (s.OPENAI_API_KEY ?? null) : null;

function readSpeechServer({ SPEECH_HOST: host, SPEECH_PORT: port, SPEECH_API_KEY }: Settings) {
  const apiKey = SPEECH_API_KEY ?? null;
  if (apiKey === null && !isThisMachine(host))
    throw new ConfigError(
      `The setting SPEECH_API_KEY is missing: with SPEECH_HOST=${host} everybody who reaches this machine could use its ears and voice.`,
    );
  return { host, port, apiKey };
}

function readBucket(s: Settings): Config['mediaBucket'] {
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

function readAntivirus({ CLAMAV_URL: url }: Settings): Config['antivirus'] {
  if (!url) return null;
  const { protocol, pathname: path, hostname, port } = new URL(url);
  return protocol === 'unix:' ? { path } : { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** A link in a mail must lead here whatever host name a request used, so it needs a configured address. */
function readMail({ SMTP_URL: url, MAIL_FROM: from, PUBLIC_URL }: Settings): Config['mail'] {
  if (!url && !from) return null;
  if (!url || !from)
    throw new ConfigError(
      `The setting ${url ? 'MAIL_FROM' : 'SMTP_URL'} is missing: mails need a server and a sender.`,
    );
  if (!PUBLIC_URL)
    throw new ConfigError('The setting PUBLIC_URL is missing: SMTP_URL needs it for the links in mails.');
  return { url, from };
}

function readOidc(s: Settings): Config['oidc'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = s;
  if (!issuer && !clientId && !clientSecret) return null;
  if (!issuer || !clientId || !clientSecret) {
    const missing = issuer ? (clientId ? 'OIDC_CLIENT_SECRET' : 'OIDC_CLIENT_ID') : 'OIDC_ISSUER';
    throw new ConfigError(
      `The setting ${missing} is missing: a provider needs an issuer, and what it knows this server by.`,
    );
  }
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !isThisMachine(hostname)) throw wrong('OIDC_ISSUER', { OIDC_ISSUER: issuer });
  if (!s.PUBLIC_URL)
    throw new ConfigError('The setting PUBLIC_URL is missing: OIDC_ISSUER needs it for the way back.');
  return { issuer, clientId, clientSecret, label: s.OIDC_LABEL };
}

function readLiveKit(s: Settings): Pick<Config['rooms'], 'livekit' | 'keys'> {
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
  throw wrong('ROOMS_UDP_PORTS', { ROOMS_UDP_PORTS: range });
}

/** If audio must stay here, browsers are given no external STUN server either. */
function readStunServers({ ROOMS_STUN_SERVERS: servers, AUDIO_STAYS_HERE }: Settings): string[] | null {
  if (AUDIO_STAYS_HERE === 'off') return servers ?? null;
  const isOutside = (url: string) => !isNearHost(url.replace(/^stuns?:/i, '').replace(/:\d+$/, ''));
  if (servers?.some(isOutside))
    throw new ConfigError(
      'The setting AUDIO_STAYS_HERE=on does not go with ROOMS_STUN_SERVERS, by which servers outside would be asked: name some of your own network, or none, or remove one of the two.',
    );
  return servers ?? [];
}

function readOrigins(list: string | undefined): string[] {
  const origins = entriesOf(list);
  for (const origin of origins) {
    const url = URL.canParse(origin) ? new URL(origin) : null;
    if (!url || url.origin !== origin)
      throw new ConfigError(
        `The setting CORS_ORIGINS is wrong: "${origin}" is not an origin such as https://care.example.com.`,
      );
  }
  return origins;
}

function readHosts(list: string | undefined): string[] {
  const hosts = entriesOf(list).map((host) => host.toLowerCase());
  for (const host of hosts)
    if (!/^(?:\*|\.?[^\s.:/*]+(?:\.[^\s.:/*]+)*)$/.test(host))
      throw new ConfigError(
        `The setting ALLOWED_HOSTS is wrong: "${host}" is not a host name such as care.example.com.`,
      );
  return hosts;
}

function readProxies(list: string | undefined): string[] | null {
  if (list === undefined) return null;
  const proxies = entriesOf(list);
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
    const isRange = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
    if (most === 0 || !isRange || address.includes('%'))
      throw new ConfigError(
        `The setting TRUSTED_PROXIES is wrong: "${proxy}" is no IP address such as 10.0.0.2 and no range such as 10.1.0.0/24.`,
      );
  }
  return proxies;
}

function readPrivateHosts(list: string | undefined): string[] {
  const hosts = entriesOf(list).map((host) => host.toLowerCase());
  for (const host of hosts)
    if (!/^(?:\[[\da-f:]+\]|[\da-f]*:[\da-f]*:[\da-f:]*|[^\s:/*[\]]+(?::\d{1,5})?)$/.test(host))
      throw new ConfigError(
        `The setting ACTIONS_PRIVATE_HOSTS is wrong: "${host}" is not a host such as erp.internal or 10.0.0.7:8080.`,
      );
  return hosts;
}

const entriesOf = (list = ''): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

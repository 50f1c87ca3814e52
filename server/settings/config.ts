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
  /** What the page calls it. */
  model: string;
  choice: OwnModelChoice;
  /** Hexadecimal; null: nobody said. */
  sha256: string | null;
  /** Where files of the list are fetched instead. */
  source: string | null;
  /** The program that runs it; null: the one that is fetched. */
  server: string | null;
  /** It has one of its own, which nobody is told. */
  apiKey: null;
  checking: Checking;
}

/** A model of one's own, a server that speaks OpenAI's API, or Anthropic's. */
export type LanguageModelSettings =
  | OwnModelSettings
  | { kind: 'openai'; baseUrl: string; model: string; apiKey: string | null; checking: Checking }
  /** `baseUrl` null: Anthropic's own. */
  | { kind: 'anthropic'; baseUrl: string | null; model: string; apiKey: string; checking: Checking };

interface ModelPrice {
  model: string;
  /** Read. */
  input: number;
  /** Written. */
  output: number;
}

export interface ModelUseSettings {
  /** What each model costs by its name, in US dollars for a million tokens; one that is not here has no known price. */
  prices: ModelPrice[];
  /** Of all models together, in a day of UTC; `null`: as many as they like. */
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
  /** What several instances share; `null`: this one is alone. */
  redisUrl: string | null;
  /** In the order in which they are asked; none means the embedded grounded responder. */
  languageModels: LanguageModelSettings[];
  /** What language models cost and may take. */
  modelUse: ModelUseSettings;
  /** `null` means the embedded recognition. */
  speechRecognition: { baseUrl: string; model: string; apiKey: string | null } | null;
  /** `null` means the embedded voice. */
  speechSynthesis: { baseUrl: string; model: string; voice: string; apiKey: string | null } | null;
  /** Where the ears and the voice are for others. */
  speechServer: {
    host: string;
    port: number;
    /** `null`: nobody needs one. */
    apiKey: string | null;
  };
  /** `null` means files below `dataDir`. */
  mediaBucket: {
    bucket: string;
    region: string;
    /** `null`: Amazon's. */
    endpoint: string | null;
    /** `null`: what the machine itself has been given. */
    credentials: { accessKeyId: string; secretAccessKey: string } | null;
  } | null;
  /** Where ClamAV's daemon listens; `null`: nothing is scanned. */
  antivirus: { path: string } | { host: string; port: number } | null;
  rooms: {
    /** `null` means the embedded room server. */
    livekit: { url: string; apiKey: string; apiSecret: string } | null;
    /** Keys for the embedded room server, so that LiveKit's own tools can manage it; `null`: it makes its own. */
    keys: { apiKey: string; apiSecret: string } | null;
    /** UDP ports the embedded room server may use for sound and pictures; `null`: any free one. */
    udpPorts: { min: number; max: number } | null;
    /** The IP address under which browsers reach those ports, where that is not an address of this machine. */
    address: string | null;
    /** Who may join a room that somebody has just made. */
    access: Settings['ROOM_ACCESS'];
    /** STUN servers that are asked under which address one is seen; `null`: nobody has settled it. */
    stunServers: string[] | null;
  };
  /** Origins besides the server's own that may call it from a browser. */
  corsOrigins: string[];
  /** What one account may have at most. */
  quotas: { agents: number; conversationsPerDay: number; charactersPerDay: number; calls: number };
  /** Who takes traces of turns; `null`: nobody. */
  traces: { endpoint: string; serviceName: string } | null;
  /** Where counters are shown; `null`: nowhere. */
  metrics: { host: string; port: number } | null;
  publicUrl: string | null;
  /** Addresses and CIDR ranges of the reverse proxies in front; `null`: nobody said. */
  trustedProxies: string[] | null;
  /** Who may make an account, until an owner settles it. */
  registration: Settings['REGISTRATION'];
  /** How long a session may lie unused, in milliseconds. */
  sessionIdleMs: number;
  /** Sends mails; `null`: none are sent. */
  mail: { url: string; from: string } | null;
  /** Whose sign-ins are believed; `null`: nobody's. */
  oidc: { issuer: string; clientId: string; clientSecret: string; label: string } | null;
  /** Host names it answers under besides those known without a setting; `.name` is all below it, `*` any. */
  allowedHosts: string[];
  /** Hosts in private networks that actions may call, with their port or without. */
  actionsPrivateHosts: string[];
  /** An IANA name; `null`: that of the machine. */
  timeZone: string | null;
  logLevel: Settings['LOG_LEVEL'];
  rateLimit: boolean;
  /** Days after its last word that a conversation is deleted; `null`: never. */
  retentionDays: number | null;
  /** What one account may have its agents read. */
  documents: { documents: number; characters: number };
  /** Nothing that is said may leave this server. */
  audioStaysHere: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const OPENAI_ADDRESS = 'https://api.openai.com/v1';

/**
 * Reads and checks the settings.
 * @param stored what owners saved, by the same names; the environment wins
 * @throws ConfigError naming the first wrong setting.
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

/** What leaves this network is encrypted: keys, what customers say, and what is stored of it. */
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

/** A file without a checksum is only what it says if nobody could change it on its way. */
function refusePlainModel({ LLM_OWN_MODEL: said, LLM_OWN_SHA256: sha256 }: Settings): void {
  if (!said || sha256 || !/^http:/i.test(said) || isNearHost(new URL(said).hostname)) return;
  throw new ConfigError(
    'The setting LLM_OWN_MODEL is wrong: outside this machine and private networks it must begin with https://, or LLM_OWN_SHA256 say what the file must be.',
  );
}

const isEncrypted = ({ hostname, searchParams }: URL): boolean =>
  isNearHost(hostname) || /^(?:require|verify-ca|verify-full)$/.test(searchParams.get('sslmode') ?? '');

/** One of one's own comes first. OpenAI's own address is the usual one where its key is there and a model is named; Anthropic's comes second. */
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

/** Every rung of the ladder has its own price. There was one for all of them once: it holds where Anthropic's has none. */
function readPrices(s: Settings, models: readonly LanguageModelSettings[]): ModelPrice[] {
  const own = pricesOf(s, 'LLM_INPUT_PRICE', 'LLM_OUTPUT_PRICE');
  const prices = {
    // It costs what the machine does.
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

/** Who wants sound to stay here and names a server elsewhere for it wants one of the two only. */
function staysHere(s: Settings): boolean {
  if (s.AUDIO_STAYS_HERE === 'off') return false;
  const elsewhere = (
    ['STT_BASE_URL', 'TTS_BASE_URL', 'LIVEKIT_URL', 'S3_ENDPOINT', 'CLAMAV_URL'] as const
  ).find((name) => {
    // A socket in the file system has no host.
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
 * Tells an operator that no proxy is named where one on another machine may be in front. A server that only this machine
 * reaches needs none.
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

/** The key of OpenAI goes to OpenAI alone, and never moves audio there by itself: the address must be set. */
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

/** A link in a mail must lead here, whatever host name a request came under: so it needs an address that is set. */
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

/** Whoever wants sound to stay here has no server outside told of browsers either. */
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

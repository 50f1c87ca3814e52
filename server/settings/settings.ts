import { z } from 'zod';
import { checkings } from '#shared/engine-settings';
import { registrationModes } from '#shared/members';
import { listedModels, ownModelChoice } from './own-models.ts';

/** Facts about a setting, for the error that stops the start and for `.env.example`. */
export interface SettingFacts {
  /** Its required form, as the end of a sentence. */
  expected?: string;
  /** May hold a password, so errors do not quote its value. */
  secret?: true;
  /** The purpose of it and those that follow, in whole sentences. */
  about?: string;
  /** Its default; otherwise `example`, which may be empty. */
  usually?: string;
  example?: string;
}

export const settingFacts = z.registry<SettingFacts>();

const blankAsAbsent = (value: unknown) => (typeof value === 'string' ? value.trim() || undefined : value);

const usually = <T extends z.ZodType>(value: string, schema: T, facts: Omit<SettingFacts, 'usually'> = {}) =>
  known(
    z.preprocess((given) => blankAsAbsent(given) ?? value, schema),
    { ...facts, usually: value },
  );

const optional = <T extends z.ZodType>(schema: T, facts: SettingFacts) =>
  known(z.preprocess(blankAsAbsent, schema.optional()), facts);

function known<T extends z.ZodType>(schema: T, facts: SettingFacts): T {
  settingFacts.add(schema, facts);
  return schema;
}

/** RFC 7064. */
const STUN_URL = /^stuns?:(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

const text = z.string();
const httpUrl = z.url({ protocol: /^https?$/ });
const key = { secret: true, example: '' } as const;
const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.number().max(65_535));
const atLeastOne = z
  .string()
  .regex(/^[1-9]\d{0,6}$/)
  .transform(Number);
const price = z
  .string()
  .regex(/^\d{1,6}(?:\.\d{1,6})?$/)
  .transform(Number);
const aWholeNumber = 'must be a whole number from 1 to 9999999';
/** A TCP address, or the path of a socket as it is, without escapes. */
const clamdUrl = text
  .regex(/^(?:tcp:\/\/[^\s/?#@]+:[1-9]\d{0,4}|unix:\/\/\/[^\s?#%]+)$/)
  .refine((url) => URL.canParse(url));
const isTimeZone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
};
const stunServers = text
  .transform((list) => (list === 'none' ? [] : list.split(',').map((url) => url.trim())))
  .refine((urls) => urls.length <= 5 && urls.every((url) => STUN_URL.test(url)));
const audioServer = {
  secret: true,
  expected: 'must be an http(s) address such as https://api.openai.com/v1',
  example: 'https://api.openai.com/v1',
} as const;

/** All settings, one row each: name in the environment, form, and facts. */
export const settings = z.object({
  PORT: usually('3000', port, {
    about:
      'Where the server listens. Keep 127.0.0.1 behind a reverse proxy; 0.0.0.0 opens it to the network.',
    expected: 'must be a whole number from 0 to 65535',
  }),
  HOST: usually('127.0.0.1', text),
  DATA_DIR: usually('./data', text, {
    about:
      "The embedded database lives here, with what the server makes of agents' texts (vectors/, made again when it is gone); one process at a time.",
  }),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ }), {
    about: 'A PostgreSQL 15+ server instead of the embedded database.',
    secret: true,
    expected: 'must look like postgresql://user:password@host:5432/name',
    example: 'postgresql://sigma:password@127.0.0.1:5432/sigma',
  }),
  REDIS_URL: optional(z.url({ protocol: /^rediss?$/ }), {
    about:
      'A Redis 6.2+ or Valkey server that several instances on one database share: limits, seats, and what they tell each other. One instance alone needs none.',
    secret: true,
    expected: 'must look like redis://user:password@host:6379 (rediss:// over TLS)',
    example: 'redis://127.0.0.1:6379',
  }),
  S3_BUCKET: optional(text.regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/), {
    about:
      'A bucket of Amazon S3, or of a store that speaks its protocol (then its address), for recordings; none means files in DATA_DIR/recordings. Without the two keys, what the machine has been given is used (environment, profile, role).',
    expected: 'must be the name of a bucket: 3 to 63 small letters, digits, dots and dashes',
    example: 'sigma-recordings',
  }),
  S3_REGION: optional(text.regex(/^[a-z\d-]{1,64}$/), {
    expected: 'must be the name of a region such as eu-central-1',
    example: 'us-east-1',
  }),
  S3_ENDPOINT: optional(httpUrl, {
    secret: true,
    expected: 'must be an http(s) address such as http://127.0.0.1:9000',
    example: 'http://127.0.0.1:9000',
  }),
  S3_ACCESS_KEY_ID: optional(text, key),
  S3_SECRET_ACCESS_KEY: optional(text, key),
  MODELS_DIR: usually('./models', text, { about: 'The speech weights, fetched once.' }),
  LLM_BASE_URL: optional(httpUrl, {
    about: 'Any OpenAI-compatible language model; none means the embedded grounded responder.',
    secret: true,
    expected: 'must be an http(s) address such as http://127.0.0.1:11434/v1',
    example: 'http://127.0.0.1:11434/v1',
  }),
  LLM_MODEL: optional(text, { example: 'llama3.2' }),
  LLM_API_KEY: optional(text, key),
  LLM_CHECKING: usually('doubtful', z.enum(checkings), {
    about:
      "How closely what the model says is checked before it is said: by Sigma's own reader alone (strict, for small models), doubtful sentences by the model itself (doubtful), or each that states something (every).",
    expected: 'must be strict, doubtful or every',
  }),
  LLM_OWN_MODEL: optional(
    text.refine((said) => ownModelChoice(said) !== null),
    {
      about: `A language model that llama.cpp runs on this machine, asked before those above and below: one of ${listedModels.map(({ id }) => id).join(', ')}, the address of a GGUF file, or one that is there (its path, or its name in MODELS_DIR/language). It is fetched once, with llama.cpp, which needs the internet.`,
      expected: `must be one of ${listedModels.map(({ id }) => id).join(', ')}, or the address, path or name of a file that ends with .gguf`,
      example: 'qwen3-4b',
    },
  ),
  LLM_OWN_CHECKING: usually('strict', z.enum(checkings), {
    expected: 'must be strict, doubtful or every',
  }),
  LLM_OWN_SHA256: optional(text.regex(/^[\da-f]{64}$/i).toLowerCase(), {
    about:
      'The checksum of the GGUF file at an address; without it the one that its host states, or that it had when it came first.',
    expected: 'must be the 64 hexadecimal digits of a SHA-256',
    example: '',
  }),
  LLM_OWN_SOURCE: optional(
    httpUrl.refine((said) => new URL(said).password === ''),
    {
      about:
        'Where llama.cpp and the models of the list are fetched instead of github.com and huggingface.co: files of the same names below this address, with the same checksums.',
      expected: 'must be an http(s) address without a password, such as https://files.example.com/models',
      example: 'https://files.example.com/models',
    },
  ),
  LLM_OWN_SERVER: optional(text, {
    about:
      "A llama-server that is there instead of the one that is fetched: one of your own build, such as one for this machine's graphics card.",
    example: '/usr/local/bin/llama-server',
  }),
  ANTHROPIC_API_KEY: optional(text, {
    ...key,
    about:
      "Anthropic's models: the only one that answers, or the one that is asked where the model above fails. With OPENAI_API_KEY and LLM_MODEL alone the model above is OpenAI's.",
  }),
  ANTHROPIC_MODEL: usually('claude-haiku-4-5', text),
  ANTHROPIC_CHECKING: usually('doubtful', z.enum(checkings), {
    expected: 'must be strict, doubtful or every',
  }),
  LLM_INPUT_PRICE: optional(price, {
    about:
      "What language models cost, in US dollars for a million tokens that they read and that they write; none means that tokens are shown without money. Anthropic's have the same prices unless they are given their own.",
    expected: 'must be an amount of dollars such as 0.8',
    example: '0.8',
  }),
  LLM_OUTPUT_PRICE: optional(price, {
    expected: 'must be an amount of dollars such as 4',
    example: '4',
  }),
  ANTHROPIC_INPUT_PRICE: optional(price, {
    expected: 'must be an amount of dollars such as 1',
    example: '1',
  }),
  ANTHROPIC_OUTPUT_PRICE: optional(price, {
    expected: 'must be an amount of dollars such as 5',
    example: '5',
  }),
  LLM_TOKENS_PER_DAY: optional(text.regex(/^[1-9]\d{0,11}$/).transform(Number), {
    about:
      'How many tokens all language models together may take in a day of UTC: when these are spent the embedded reader answers until the next.',
    expected: 'must be a whole number from 1 to 999999999999',
    example: '2000000',
  }),
  STT_BASE_URL: optional(httpUrl, {
    ...audioServer,
    about:
      "Servers that speak OpenAI's audio API, for recognition and for the voice; none means the embedded ones, and that no audio leaves this server. Where a server is api.openai.com, OPENAI_API_KEY stands in for a missing key; alone it moves nothing.",
  }),
  STT_MODEL: optional(text, { example: 'whisper-1' }),
  STT_API_KEY: optional(text, key),
  TTS_BASE_URL: optional(httpUrl, audioServer),
  TTS_MODEL: optional(text, { example: 'tts-1' }),
  TTS_VOICE: optional(text, { example: 'alloy' }),
  TTS_API_KEY: optional(text, key),
  OPENAI_API_KEY: optional(text, key),
  SPEECH_PORT: usually('3100', port, {
    about:
      "Where `npm run speech-server` listens: the embedded ears and voice behind OpenAI's audio API, for STT_BASE_URL and TTS_BASE_URL of other processes (http://host:3100/v1). Its key, at least 16 characters, is their STT_API_KEY and TTS_API_KEY; beyond this machine it must have one.",
    expected: 'must be a whole number from 0 to 65535',
  }),
  SPEECH_HOST: usually('127.0.0.1', text),
  SPEECH_API_KEY: optional(text.regex(/^[\w~+/.=-]{16,200}$/), {
    ...key,
    expected: 'must be 16 to 200 letters, digits and signs of - . _ ~ + / =',
  }),
  LIVEKIT_URL: optional(z.url({ protocol: /^(?:wss?|https?)$/ }), {
    about:
      "A LiveKit server or cluster for live rooms; none means the embedded room server. With a key and its secret alone, the embedded one takes them, and LiveKit's own tools can manage it at this server's address.",
    secret: true,
    expected: 'must be the address of a LiveKit server such as wss://rooms.example.com',
    example: 'wss://rooms.example.com',
  }),
  LIVEKIT_API_KEY: optional(text, key),
  LIVEKIT_API_SECRET: optional(text.min(32), {
    ...key,
    expected: 'must have at least 32 characters, or it could be worked out from any token that it signs',
  }),
  ROOMS_UDP_PORTS: optional(text.regex(/^\d{1,5}-\d{1,5}$/), {
    about:
      'The embedded room server: UDP ports to open in a firewall, and the IP address browsers reach them under.',
    expected: 'must be two ports from 1 to 65535, the lower one first, such as 50000-50200',
    example: '50000-50200',
  }),
  ROOMS_ADDRESS: optional(z.union([z.ipv4(), z.ipv6()]), {
    expected: 'must be an IP address such as 203.0.113.7',
    example: '203.0.113.7',
  }),
  ROOMS_STUN_SERVERS: optional(stunServers, {
    about:
      "STUN servers that browsers and agents ask in live rooms which address they are seen under, or none. Without it browsers ask two of Google's, or none where AUDIO_STAYS_HERE is on; agents those that a LiveKit server names.",
    expected: 'must be none, or addresses such as stun:stun.example.com:3478, separated by commas',
    example: 'stun:stun.example.com:3478',
  }),
  RETENTION_DAYS: optional(text.regex(/^[1-9]\d{0,3}$/).transform(Number), {
    about:
      'Conversations are deleted so many days after their last word, with their recordings; without it they stay until somebody deletes them.',
    expected: 'must be a whole number of days from 1 to 9999',
    example: '90',
  }),
  DOCUMENTS_PER_ACCOUNT: usually('5000', text.regex(/^[1-9]\d{0,6}$/).transform(Number), {
    about:
      'What one account may have its agents read besides their company information: documents, and millions of characters of text in them.',
    expected: 'must be a whole number from 1 to 9999999',
  }),
  DOCUMENTS_MILLION_CHARACTERS: usually('100', text.regex(/^[1-9]\d{0,4}$/).transform(Number), {
    expected: 'must be a whole number from 1 to 99999',
  }),
  CLAMAV_URL: optional(clamdUrl, {
    about:
      'A ClamAV daemon (clamd) that scans what people send before it is kept or read: documents, web pages, recordings. While it is away they are refused; what is written and said goes on. None means that nothing is scanned.',
    expected: 'must look like tcp://127.0.0.1:3310 or unix:///run/clamav/clamd.ctl',
    example: 'tcp://127.0.0.1:3310',
  }),
  AUDIO_STAYS_HERE: usually('off', z.enum(['on', 'off']), {
    about:
      "on: what is said never leaves this server. Browsers' own recognition, whose makers may receive it, is not used, and servers elsewhere are refused for ears, voice, rooms and recordings.",
    expected: 'must be on or off',
  }),
  AGENTS_PER_ACCOUNT: usually('50', atLeastOne, {
    about:
      'What one account may have: agents; conversations begun within 24 hours that are still there; millions of characters stored within 24 hours, written by customers or saved in agents; calls at the same time (microphones on pages, and rooms). Whoever has as many is told so, and what to do.',
    expected: aWholeNumber,
  }),
  CONVERSATIONS_PER_DAY: usually('10000', atLeastOne, { expected: aWholeNumber }),
  MILLION_CHARACTERS_PER_DAY: usually('50', text.regex(/^[1-9]\d{0,4}$/).transform(Number), {
    expected: 'must be a whole number from 1 to 99999',
  }),
  CALLS_PER_ACCOUNT: usually('5', atLeastOne, { expected: aWholeNumber }),
  ROOM_ACCESS: usually('members', z.enum(['members', 'invited']), {
    about:
      'Who may join a room that somebody has just made: members (every account, by its name) or invited (whoever its owner sends a link). Owners may change it for their rooms.',
    expected: 'must be members or invited',
  }),
  PUBLIC_URL: optional(httpUrl, {
    about: 'The address customers see, and other origins whose pages may call this server.',
    expected: 'must be an http(s) address such as https://care.example.com',
    example: 'https://care.example.com',
  }),
  CORS_ORIGINS: optional(text, { example: 'https://intranet.example.com' }),
  TRUSTED_PROXIES: optional(text, {
    about:
      'The reverse proxies in front, by IP address or range, comma-separated: of X-Forwarded-For, -Proto and -Host theirs alone count. None means those on this machine where PUBLIC_URL is set, and else nobody; behind a proxy that is not named all visitors share its address, and its limits.',
    example: '10.0.0.2,10.1.0.0/24',
  }),
  REGISTRATION: usually('open', z.enum(registrationModes), {
    about:
      'Who may make an account: open (everybody), invitation (whom an owner sent a link) or closed (nobody). The first account owns the installation and may always be made, but after the last one was deleted (`npm run reset-owner`). It holds until an owner settles it on the page.',
    expected: 'must be open, invitation or closed',
  }),
  SESSION_IDLE_DAYS: usually('7', text.regex(/^(?:[1-9]|[12]\d|30)$/).transform(Number), {
    about: 'Somebody who has not been here for so many days signs in again; everybody does after 30.',
    expected: 'must be a whole number of days from 1 to 30',
  }),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/ }), {
    about:
      'A mail server and the sender of its mails, so that people can set a new password by e-mail; links in mails lead to PUBLIC_URL, which it needs. With a user name, mails go over TLS alone, but for a server on this machine.',
    secret: true,
    expected: 'must look like smtps://user:password@mail.example.com',
    example: 'smtps://user:password@mail.example.com',
  }),
  MAIL_FROM: optional(z.email(), {
    expected: 'must be an e-mail address such as care@example.com',
    example: 'care@example.com',
  }),
  OIDC_ISSUER: optional(httpUrl, {
    about:
      'An OpenID Connect provider at which people may sign in, with what it knows this server by and what the button calls it. It sends browsers back to PUBLIC_URL, which it needs, at /sign-in/back.',
    expected: 'must be an https address, or http on this machine, such as https://login.example.com',
    example: 'https://login.example.com',
  }),
  OIDC_CLIENT_ID: optional(text, { example: 'sigma' }),
  OIDC_CLIENT_SECRET: optional(text, key),
  OIDC_LABEL: usually('single sign-on', text.max(40), {
    expected: 'must be a name of at most 40 characters',
  }),
  ALLOWED_HOSTS: optional(text, {
    about:
      "Host names this server answers under, besides IP addresses, local names such as localhost, and PUBLIC_URL's: `.example.com` is all below it, `*` any.",
    example: 'care.example.com',
  }),
  METRICS_PORT: optional(port, {
    about:
      'Counters for Prometheus, at /metrics on a port of their own; none means none. Nobody signs in there: keep it on 127.0.0.1, or in a network that only operators reach.',
    expected: 'must be a whole number from 0 to 65535',
    example: '9464',
  }),
  METRICS_HOST: usually('127.0.0.1', text),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(httpUrl, {
    about:
      "A collector that takes OpenTelemetry's traces over HTTP (OTLP): one trace of each turn, with times, counts and ids, and without a word that was said. None means none.",
    secret: true,
    expected: 'must be an http(s) address such as http://127.0.0.1:4318',
    example: 'http://127.0.0.1:4318',
  }),
  OTEL_SERVICE_NAME: usually('sigma', text),
  ACTIONS_PRIVATE_HOSTS: optional(text, {
    about:
      'Hosts in private networks (this machine, too) that actions of agents may call, with their port or without; every other private address is refused.',
    example: 'erp.internal,10.0.0.7:8080',
  }),
  TIME_ZONE: optional(text.refine(isTimeZone), {
    about:
      'The time zone of the business, which says what "today" and "now" are in answers; none means that of this machine.',
    expected: 'must be the name of a time zone such as Europe/Berlin',
    example: 'Europe/Berlin',
  }),
  LOG_LEVEL: usually('info', z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), {
    about: 'What is logged: fatal, error, warn, info, debug, trace or silent.',
    expected: 'must be one of fatal, error, warn, info, debug, trace, silent',
  }),
  RATE_LIMIT: usually('on', z.enum(['on', 'off']), {
    about: 'Whether callers who ask too much are told to wait: on or off.',
    expected: 'must be on or off',
  }),
});

export type Settings = z.infer<typeof settings>;

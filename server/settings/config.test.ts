import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig, unnamedProxy } from './config.ts';
import { ConfigError, inEnvironment } from './in-environment.ts';

/** Other settings required with external servers. */
const around = {
  LLM_MODEL: 'small',
  S3_BUCKET: 'sigma',
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: 'a secret of 32 characters or more',
};

describe('readConfig', () => {
  it('needs no setting', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: resolve('data'),
      modelsDir: resolve('models'),
      databaseUrl: null,
      languageModels: [],
      modelUse: { prices: [], tokensPerDay: null },
      speechRecognition: null,
      speechSynthesis: null,
      speechServer: { host: '127.0.0.1', port: 3100, apiKey: null },
      mediaBucket: null,
      rooms: { livekit: null, udpPorts: null, address: null, access: 'members', stunServers: null },
      corsOrigins: [],
      publicUrl: null,
      registration: 'open',
      allowedHosts: [],
      logLevel: 'info',
      rateLimit: true,
      retentionDays: null,
      audioStaysHere: false,
    });
  });

  describe('secrets in files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sigma-secrets-'));
    const file = (name: string, content: string | Buffer) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    };
    afterAll(() => rmSync(folder, { recursive: true }));

    it('are taken without the line end that an editor adds', () => {
      const { languageModels } = readConfig({ ANTHROPIC_API_KEY_FILE: file('key', 'sk-ant-1\n') });
      expect(languageModels).toMatchObject([{ kind: 'anthropic', apiKey: 'sk-ant-1' }]);
      const database = file('database', 'postgresql://sigma:a@db.local:5432/sigma');
      expect(readConfig({ DATABASE_URL_FILE: database }).databaseUrl).toContain('sigma:a@');
    });

    it('are the environment, which wins over what is stored', () => {
      const env = { TTS_BASE_URL: 'https://voice.example/v1', TTS_API_KEY_FILE: file('voice', 'mine') };
      expect(readConfig(env, { TTS_API_KEY: 'stored' }).speechSynthesis?.apiKey).toBe('mine');
      expect(inEnvironment('TTS_API_KEY', env)).toBe('mine');
    });

    it.each([
      ['is not there', join(folder, 'none')],
      ['is a folder', folder],
      ['is empty', file('empty', '\n')],
      ['is no secret, so long is it', file('long', Buffer.alloc(65 * 1024, 'a'))],
    ])('stop the start where the file %s, and are not repeated', (_, path) => {
      expect(() => readConfig({ ANTHROPIC_API_KEY_FILE: path })).toThrow(
        `The setting ANTHROPIC_API_KEY_FILE=${path} is wrong: it must be a file that this process may read, with a secret in it, of at most 64 kB.`,
      );
    });

    it('that are wrong are not repeated', () => {
      const env = { DATABASE_URL_FILE: file('wrong', 'hunter2') };
      expect(() => readConfig(env)).toThrow('The setting DATABASE_URL is wrong: it must look like');
      expect(() => readConfig(env)).not.toThrow('hunter2');
    });

    it('are said once: in the environment or in a file', () => {
      expect(() => readConfig({ SPEECH_API_KEY: 'a', SPEECH_API_KEY_FILE: file('b', 'b') })).toThrow(
        'The settings SPEECH_API_KEY and SPEECH_API_KEY_FILE are both there: remove one of the two.',
      );
    });

    it('are all that files are taken for', () => {
      expect(() => readConfig({ PORT_FILE: file('port', '80') })).toThrow(
        'The setting PORT_FILE is not known: only secrets are taken from files. Set PORT.',
      );
    });
  });

  it('knows what models cost by both prices, and how much of them there may be', () => {
    const prices = { LLM_INPUT_PRICE: '0.8', LLM_OUTPUT_PRICE: '4' };
    const models = { LLM_BASE_URL: 'http://127.0.0.1:11434/v1', LLM_MODEL: 'qwen3' };
    expect(readConfig({ ...prices, ...models, LLM_TOKENS_PER_DAY: '2000000' }).modelUse).toEqual({
      prices: [{ model: 'qwen3', input: 0.8, output: 4 }],
      tokensPerDay: 2_000_000,
    });
    for (const missing of ['LLM_INPUT_PRICE', 'LLM_OUTPUT_PRICE'])
      expect(() => readConfig({ ...prices, [missing]: '' })).toThrow(
        `The setting ${missing} is missing: what a model costs is known by both prices.`,
      );
    expect(() => readConfig({ ...prices, LLM_INPUT_PRICE: '0,8' })).toThrow(
      'The setting LLM_INPUT_PRICE=0,8 is wrong: it must be an amount of dollars such as 0.8.',
    );
    expect(() => readConfig({ LLM_TOKENS_PER_DAY: '0' })).toThrow(
      'The setting LLM_TOKENS_PER_DAY=0 is wrong',
    );
  });

  it('prices each model of a ladder by itself, and Anthropic’s like the other where it has no price of its own', () => {
    const ladder = {
      LLM_BASE_URL: 'http://127.0.0.1:11434/v1',
      LLM_MODEL: 'qwen3',
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_MODEL: 'claude',
    };
    const one = { LLM_INPUT_PRICE: '0.1', LLM_OUTPUT_PRICE: '0.2' };
    const other = { ANTHROPIC_INPUT_PRICE: '1', ANTHROPIC_OUTPUT_PRICE: '5' };
    const pricesBy = (env: NodeJS.ProcessEnv) => readConfig({ ...ladder, ...env }).modelUse.prices;
    const qwen = { model: 'qwen3', input: 0.1, output: 0.2 };
    const claude = { model: 'claude', input: 1, output: 5 };
    expect(pricesBy({ ...one, ...other })).toEqual([qwen, claude]);
    expect(pricesBy(one)).toEqual([qwen, { ...qwen, model: 'claude' }]);
    expect(pricesBy(other)).toEqual([claude]);
    expect(pricesBy({})).toEqual([]);
    expect(() => pricesBy({ ...one, ANTHROPIC_INPUT_PRICE: '1' })).toThrow(
      'The setting ANTHROPIC_OUTPUT_PRICE is missing: what a model costs is known by both prices.',
    );
  });

  it('opens ears and voice to other machines with a key alone', () => {
    const open = { SPEECH_HOST: '0.0.0.0', SPEECH_PORT: '3200' };
    expect(() => readConfig(open)).toThrow(
      'The setting SPEECH_API_KEY is missing: with SPEECH_HOST=0.0.0.0 everybody who reaches this machine could use its ears and voice.',
    );
    expect(() => readConfig({ ...open, SPEECH_API_KEY: 'too short' })).toThrow(
      'The setting SPEECH_API_KEY is wrong: it must be 16 to 200 letters, digits and signs of - . _ ~ + / =.',
    );
    const apiKey = 'a-key-of-many-letters';
    expect(readConfig({ ...open, SPEECH_API_KEY: apiKey }).speechServer).toEqual({
      host: '0.0.0.0',
      port: 3200,
      apiKey,
    });
    for (const host of ['::1', 'localhost', '127.0.0.2'])
      expect(readConfig({ SPEECH_HOST: host }).speechServer.apiKey).toBeNull();
  });

  it('keeps sound on this server where that is wanted, and refuses what contradicts it', () => {
    const on = { AUDIO_STAYS_HERE: 'on' };
    expect(readConfig(on).audioStaysHere).toBe(true);
    expect(
      readConfig({
        ...on,
        STT_BASE_URL: 'http://127.0.0.1:8000/v1',
        S3_BUCKET: 'sounds',
        S3_ENDPOINT: 'http://localhost:9000',
      }),
    ).toMatchObject({ audioStaysHere: true });
    for (const [name, value] of Object.entries({
      STT_BASE_URL: 'https://api.openai.com/v1',
      TTS_BASE_URL: 'http://10.0.0.7/v1',
      CLAMAV_URL: 'tcp://10.0.0.7:3310',
      S3_BUCKET: 'sigma-recordings',
    }))
      expect(() => readConfig({ ...on, [name]: value })).toThrow(
        `The setting AUDIO_STAYS_HERE=on does not go with ${name}, by which sound would leave this server: remove one of the two.`,
      );
  });

  it('reads which STUN servers are asked: none outside where sound stays here', () => {
    const read = (ROOMS_STUN_SERVERS: string, AUDIO_STAYS_HERE = 'off') =>
      readConfig({ ROOMS_STUN_SERVERS, AUDIO_STAYS_HERE }).rooms.stunServers;
    const two = 'stun:stun.example.com:3478, stuns:[2001:db8::1]';
    expect(read(two)).toEqual(['stun:stun.example.com:3478', 'stuns:[2001:db8::1]']);
    expect([read('none'), read('', 'on'), read('none', 'on')]).toEqual([[], [], []]);
    expect(read('stun:10.0.0.7:3478', 'on')).toEqual(['stun:10.0.0.7:3478']);
    expect(read('stun:[fd00::7]:3478,stun:localhost', 'on')).toHaveLength(2);
    expect(() => read(two, 'on')).toThrow(
      'The setting AUDIO_STAYS_HERE=on does not go with ROOMS_STUN_SERVERS, by which servers outside would be asked',
    );
    for (const wrong of ['turn:turn.example.com', 'stun.example.com', 'stun:a b', 'stun:x:1,none'])
      expect(() => read(wrong)).toThrow(
        `The setting ROOMS_STUN_SERVERS=${wrong} is wrong: it must be none, or addresses such as stun:stun.example.com:3478, separated by commas.`,
      );
  });

  it('reads how long a session may lie unused', () => {
    expect(readConfig({}).sessionIdleMs).toBe(7 * 86_400_000);
    expect(readConfig({ SESSION_IDLE_DAYS: '1' }).sessionIdleMs).toBe(86_400_000);
    for (const days of ['0', '31', 'x'])
      expect(() => readConfig({ SESSION_IDLE_DAYS: days })).toThrow('SESSION_IDLE_DAYS');
  });

  it('reads how long conversations stay', () => {
    expect(readConfig({ RETENTION_DAYS: '30' }).retentionDays).toBe(30);
    expect(() => readConfig({ RETENTION_DAYS: '0' })).toThrow(
      'The setting RETENTION_DAYS=0 is wrong: it must be a whole number of days from 1 to 9999.',
    );
  });

  it('reads where mails go, who sends them, and where their links lead', () => {
    const all = {
      SMTP_URL: 'smtps://me:secret@mail.example.com',
      MAIL_FROM: 'care@example.com',
      PUBLIC_URL: 'https://care.example.com',
    };
    expect(readConfig(all).mail).toEqual({ url: all.SMTP_URL, from: all.MAIL_FROM });
    expect(readConfig({}).mail).toBeNull();
    for (const [name, sentence] of Object.entries({
      SMTP_URL: 'The setting SMTP_URL is missing: mails need a server and a sender.',
      MAIL_FROM: 'The setting MAIL_FROM is missing: mails need a server and a sender.',
      PUBLIC_URL: 'The setting PUBLIC_URL is missing: SMTP_URL needs it for the links in mails.',
    }))
      expect(() => readConfig({ ...all, [name]: '' })).toThrow(sentence);
    expect(() => readConfig({ ...all, SMTP_URL: 'http://me:secret@mail.example.com' })).toThrow(
      'The setting SMTP_URL is wrong: it must look like smtps://user:password@mail.example.com.',
    );
  });

  it('reads whose sign-ins are believed', () => {
    const all = {
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'sigma',
      OIDC_CLIENT_SECRET: 'secret',
      PUBLIC_URL: 'https://care.example.com',
    };
    expect(readConfig(all).oidc).toEqual({
      issuer: 'https://login.example.com',
      clientId: 'sigma',
      clientSecret: 'secret',
      label: 'single sign-on',
    });
    expect(readConfig({ ...all, OIDC_LABEL: 'Contoso' }).oidc?.label).toBe('Contoso');
    expect(readConfig({ OIDC_LABEL: 'Contoso' }).oidc).toBeNull();
    for (const name of ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL'])
      expect(() => readConfig({ ...all, [name]: '' })).toThrow(`The setting ${name} is missing`);
    expect(readConfig({ ...all, OIDC_ISSUER: 'http://127.0.0.1:9000' }).oidc).not.toBeNull();
    expect(() => readConfig({ ...all, OIDC_ISSUER: 'http://login.example.com' })).toThrow(
      'The setting OIDC_ISSUER=http://login.example.com is wrong: it must be an https address',
    );
  });

  it('takes a blank setting for an absent one, and trims', () => {
    expect(readConfig({ PORT: ' ', HOST: '', DATABASE_URL: '', LOG_LEVEL: ' debug ' })).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: null,
      logLevel: 'debug',
    });
  });

  it('reads every setting', () => {
    expect(
      readConfig({
        PORT: '0',
        HOST: '0.0.0.0',
        DATABASE_URL: 'postgresql://sigma:secret@db/sigma',
        LLM_BASE_URL: 'http://127.0.0.1:11434/v1',
        LLM_MODEL: 'llama3.2',
        LLM_API_KEY: 'key',
        STT_BASE_URL: 'http://127.0.0.1:8000/v1',
        STT_MODEL: 'faster-whisper',
        STT_API_KEY: 'ears-key',
        TTS_BASE_URL: 'http://127.0.0.1:8880/v1',
        TTS_MODEL: 'kokoro',
        TTS_VOICE: 'af_heart',
        TTS_API_KEY: 'voice-key',
        S3_BUCKET: 'sigma-recordings',
        S3_ENDPOINT: 'http://127.0.0.1:9000',
        S3_REGION: 'eu-central-1',
        S3_ACCESS_KEY_ID: 'id',
        S3_SECRET_ACCESS_KEY: 'secret',
        LIVEKIT_URL: 'wss://rooms.example.com',
        LIVEKIT_API_KEY: 'room-key',
        LIVEKIT_API_SECRET: 'a secret of 32 characters or more',
        ROOMS_UDP_PORTS: '50000-50200',
        ROOMS_ADDRESS: '203.0.113.7',
        CORS_ORIGINS: 'https://a.example.com, http://localhost:5173',
        PUBLIC_URL: 'https://care.example.com',
        ALLOWED_HOSTS: 'Care.Example.org, .example.net',
        RATE_LIMIT: 'off',
      }),
    ).toMatchObject({
      port: 0,
      host: '0.0.0.0',
      databaseUrl: 'postgresql://sigma:secret@db/sigma',
      languageModels: [
        { kind: 'openai', baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.2', apiKey: 'key' },
      ],
      speechRecognition: {
        baseUrl: 'http://127.0.0.1:8000/v1',
        model: 'faster-whisper',
        apiKey: 'ears-key',
      },
      speechSynthesis: {
        baseUrl: 'http://127.0.0.1:8880/v1',
        model: 'kokoro',
        voice: 'af_heart',
        apiKey: 'voice-key',
      },
      mediaBucket: {
        bucket: 'sigma-recordings',
        endpoint: 'http://127.0.0.1:9000',
        region: 'eu-central-1',
        credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
      },
      rooms: {
        livekit: {
          url: 'wss://rooms.example.com',
          apiKey: 'room-key',
          apiSecret: 'a secret of 32 characters or more',
        },
        udpPorts: { min: 50_000, max: 50_200 },
        address: '203.0.113.7',
      },
      corsOrigins: ['https://a.example.com', 'http://localhost:5173'],
      publicUrl: 'https://care.example.com',
      allowedHosts: ['care.example.org', '.example.net'],
      rateLimit: false,
    });
  });

  it.each([
    ['PORT', 'eighty', 'The setting PORT=eighty is wrong: it must be a whole number from 0 to 65535.'],
    ['PORT', '65536', 'The setting PORT=65536 is wrong: it must be a whole number from 0 to 65535.'],
    ['PORT', '-1', 'The setting PORT=-1 is wrong: it must be a whole number from 0 to 65535.'],
    ['PORT', '1e3', 'The setting PORT=1e3 is wrong: it must be a whole number from 0 to 65535.'],
    [
      'REGISTRATION',
      'free',
      'The setting REGISTRATION=free is wrong: it must be open, invitation or closed.',
    ],
    ['RATE_LIMIT', 'yes', 'The setting RATE_LIMIT=yes is wrong: it must be on or off.'],
    [
      'S3_BUCKET',
      'My Bucket',
      'The setting S3_BUCKET=My Bucket is wrong: it must be the name of a bucket: 3 to 63 small letters, digits, dots and dashes.',
    ],
    [
      'S3_REGION',
      'EU (Frankfurt)',
      'The setting S3_REGION=EU (Frankfurt) is wrong: it must be the name of a region such as eu-central-1.',
    ],
    [
      'S3_ENDPOINT',
      '127.0.0.1:9000',
      'The setting S3_ENDPOINT is wrong: it must be an http(s) address such as http://127.0.0.1:9000.',
    ],
    [
      'ROOMS_UDP_PORTS',
      '50200-50000',
      'The setting ROOMS_UDP_PORTS=50200-50000 is wrong: it must be two ports from 1 to 65535, the lower one first, such as 50000-50200.',
    ],
    [
      'ROOMS_ADDRESS',
      'care.example.com',
      'The setting ROOMS_ADDRESS=care.example.com is wrong: it must be an IP address such as 203.0.113.7.',
    ],
    [
      'PUBLIC_URL',
      'care.example.com',
      'The setting PUBLIC_URL=care.example.com is wrong: it must be an http(s) address such as https://care.example.com.',
    ],
    [
      'LOG_LEVEL',
      'loud',
      'The setting LOG_LEVEL=loud is wrong: it must be one of fatal, error, warn, info, debug, trace, silent.',
    ],
    [
      'ALLOWED_HOSTS',
      'https://care.example.com',
      'The setting ALLOWED_HOSTS is wrong: "https://care.example.com" is not a host name such as care.example.com.',
    ],
    [
      'CORS_ORIGINS',
      'https://a.example.com/',
      'The setting CORS_ORIGINS is wrong: "https://a.example.com/" is not an origin such as https://care.example.com.',
    ],
  ])('stops at %s=%s with one sentence that names it', (name, value, sentence) => {
    expect(() => readConfig({ [name]: value })).toThrow(new ConfigError(sentence));
  });

  it('asks for the name of the model that a language server shall use', () => {
    expect(() => readConfig({ LLM_BASE_URL: 'http://127.0.0.1:11434/v1' })).toThrow(
      'The setting LLM_MODEL is missing: LLM_BASE_URL needs the name of the model to ask for.',
    );
  });

  it("moves no audio away from this server for OpenAI's key alone, and gives that key to OpenAI alone", () => {
    const key = { OPENAI_API_KEY: 'openai-key' };
    expect(readConfig(key)).toMatchObject({ speechRecognition: null, speechSynthesis: null });
    const openAi = 'https://api.openai.com/v1';
    expect(readConfig({ ...key, STT_BASE_URL: openAi, TTS_BASE_URL: openAi })).toMatchObject({
      speechRecognition: { baseUrl: openAi, model: 'whisper-1', apiKey: 'openai-key' },
      speechSynthesis: { baseUrl: openAi, model: 'tts-1', voice: 'alloy', apiKey: 'openai-key' },
    });
    const elsewhere = 'https://api.openai.com.example.com/v1';
    expect(readConfig({ ...key, STT_BASE_URL: elsewhere, TTS_BASE_URL: elsewhere })).toMatchObject({
      speechRecognition: { apiKey: null },
      speechSynthesis: { apiKey: null },
    });
  });

  it.each([
    ['LIVEKIT_API_KEY', { LIVEKIT_API_SECRET: around.LIVEKIT_API_SECRET }],
    ['LIVEKIT_API_SECRET', { LIVEKIT_API_KEY: 'key' }],
    [
      'LIVEKIT_API_KEY',
      { LIVEKIT_URL: 'wss://rooms.example.com', LIVEKIT_API_SECRET: around.LIVEKIT_API_SECRET },
    ],
    ['LIVEKIT_API_SECRET', { LIVEKIT_URL: 'wss://rooms.example.com', LIVEKIT_API_KEY: 'key' }],
  ])('needs %s where the other settings of a room server are', (name, others) => {
    expect(() => readConfig(others)).toThrow(
      `The setting ${name} is missing: a room server needs a key and the secret of that key.`,
    );
  });

  it('gives keys without an address to the embedded room server', () => {
    const { LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = around;
    const { rooms } = readConfig({ LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret });
    expect(rooms).toMatchObject({ livekit: null, keys: { apiKey, apiSecret } });
  });

  it.each(['moon', 'x'.repeat(31)])(
    'refuses the room server’s secret %s, and does not repeat it',
    (secret) => {
      for (const address of [{}, { LIVEKIT_URL: 'wss://rooms.example.com' }])
        expect(() => readConfig({ ...address, LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: secret })).toThrow(
          'The setting LIVEKIT_API_SECRET is wrong: it must have at least 32 characters, or it could be worked out from any token that it signs.',
        );
    },
  );

  it('takes the proxies in front by address and by range', () => {
    expect(readConfig({}).trustedProxies).toBeNull();
    expect(
      readConfig({ TRUSTED_PROXIES: ' 10.0.0.2, 10.1.0.0/24,2001:db8::/32,::1 ' }).trustedProxies,
    ).toEqual(['10.0.0.2', '10.1.0.0/24', '2001:db8::/32', '::1']);
  });

  it.each([
    'proxy',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/0',
    '10.0.0.2/',
    '10.0.0.2:80',
    'fe80::1%eth0',
    '/24',
  ])('takes %s for no proxy', (proxy) => {
    expect(() => readConfig({ TRUSTED_PROXIES: `127.0.0.1,${proxy}` })).toThrow(
      `The setting TRUSTED_PROXIES is wrong: "${proxy}" is no IP address such as 10.0.0.2 and no range such as 10.1.0.0/24.`,
    );
  });

  it('says where a proxy may be in front that nobody named', () => {
    const says = (env: NodeJS.ProcessEnv) => unnamedProxy(readConfig(env));
    const far = { PUBLIC_URL: 'https://care.example.com', HOST: '0.0.0.0' };
    expect(says(far)).toContain('TRUSTED_PROXIES');
    expect(says({ ...far, TRUSTED_PROXIES: '10.0.0.2' })).toBeNull();
    expect(says({ ...far, HOST: '127.0.0.1' })).toBeNull();
    expect(says({ HOST: '0.0.0.0' })).toBeNull();
  });

  it('needs a bucket for an S3 endpoint, and both keys or none', () => {
    expect(() => readConfig({ S3_ENDPOINT: 'http://127.0.0.1:9000' })).toThrow(
      'The setting S3_BUCKET is missing: S3_ENDPOINT needs the name of the bucket to use there.',
    );
    const keyless = { S3_BUCKET: 'sigma' };
    expect(readConfig(keyless).mediaBucket).toEqual({
      bucket: 'sigma',
      region: 'us-east-1',
      endpoint: null,
      credentials: null,
    });
    const both = 'set both keys, or none to use what the machine has been given.';
    expect(() => readConfig({ ...keyless, S3_ACCESS_KEY_ID: 'id' })).toThrow(
      `The setting S3_SECRET_ACCESS_KEY is missing: ${both}`,
    );
    expect(() => readConfig({ ...keyless, S3_SECRET_ACCESS_KEY: 'secret' })).toThrow(
      `The setting S3_ACCESS_KEY_ID is missing: ${both}`,
    );
  });

  it.each([
    ['LLM_BASE_URL', 'http://llm.example.com/v1', 'begin with https://'],
    ['STT_BASE_URL', 'http://203.0.113.7/v1', 'begin with https://'],
    ['TTS_BASE_URL', 'http://voice.example.com/v1', 'begin with https://'],
    ['S3_ENDPOINT', 'http://store.example.com', 'begin with https://'],
    ['LIVEKIT_URL', 'ws://rooms.example.com', 'begin with wss://'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://[2001:db8::1]:4318', 'begin with https://'],
    ['REDIS_URL', 'redis://:hunter2@cache.example.com', 'begin with rediss://'],
    ['DATABASE_URL', 'postgresql://sigma:hunter2@db.example.com/sigma', 'end with ?sslmode=verify-full'],
    ['DATABASE_URL', 'postgresql://db.example.com/sigma?sslmode=disable', 'end with ?sslmode=verify-full'],
  ])('refuses a %s outside this network that others could read: %s', (name, value, must) => {
    expect(() => readConfig({ ...around, [name]: value })).toThrow(
      expect.objectContaining({
        name: 'ConfigError',
        message: expect.stringMatching(
          new RegExp(
            `^The setting ${name} is wrong: outside this machine and private networks it must ${must.replace('?', '\\?')}`,
          ),
        ),
      }),
    );
  });

  it('refuses a scanner outside this network, which would be sent files in the clear', () => {
    expect(() => readConfig({ ...around, CLAMAV_URL: 'tcp://scanner.example.com:3310' })).toThrow(
      'The setting CLAMAV_URL is wrong: clamd speaks no TLS, so it must be on this machine or in a private network, or others could read what is sent there.',
    );
  });

  it.each([
    ['LLM_BASE_URL', 'https://llm.example.com/v1'],
    ['LLM_BASE_URL', 'http://ollama:11434/v1'],
    ['STT_BASE_URL', 'http://192.168.1.7/v1'],
    ['TTS_BASE_URL', 'http://[fd00::7]/v1'],
    ['S3_ENDPOINT', 'http://minio.storage.internal:9000'],
    ['LIVEKIT_URL', 'ws://localhost:7880'],
    ['DATABASE_URL', 'postgresql://db.example.com/sigma?sslmode=verify-full'],
    ['DATABASE_URL', 'postgresql://10.1.2.3/sigma'],
    ['CLAMAV_URL', 'tcp://10.1.2.3:3310'],
    ['CLAMAV_URL', 'unix:///run/clamav/clamd.ctl'],
    ['REDIS_URL', 'redis://10.1.2.3:6379/2'],
    ['REDIS_URL', 'rediss://:secret@cache.example.com'],
  ])('takes a %s that nobody else reads: %s', (name, value) => {
    expect(() => readConfig({ ...around, [name]: value })).not.toThrow();
  });

  it.each([
    'DATABASE_URL',
    'REDIS_URL',
    'LLM_BASE_URL',
    'STT_BASE_URL',
    'TTS_BASE_URL',
    'S3_ENDPOINT',
    'LIVEKIT_URL',
  ])('does not repeat what stands in a wrong %s', (name) => {
    expect(() => readConfig({ [name]: 'mysql//user:hunter2@host' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });
});

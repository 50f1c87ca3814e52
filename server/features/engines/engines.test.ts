import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { engineSettings, secrets, users } from '#server/database/schema';
import type { LanguageEngine } from '#server/engines/language/contract';
import { createFakeLanguage } from '#server/engines/language/fake';
import { createFakeRecognition } from '#server/engines/recognition/fake';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import { createFakeSynthesis } from '#server/engines/synthesis/fake';
import { EngineError } from '#server/lib/engine-error';
import { readConfig } from '#server/settings/config';
import type { SignedIn } from '#shared/accounts';
import {
  type EngineInUse,
  engineSettingsSchema,
  engineTrialsSchema,
  type OwnModels,
} from '#shared/engine-settings';
import type { EngineStatus } from '#shared/status';
import { fakeEngineControls } from '../../../tests/support/fake-engine-controls.ts';
import { door } from '../../../tests/support/scripted-engines.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';

const KEY = 'sk-test-0123456789';
const hosted = { LLM_BASE_URL: 'https://models.example.com/v1', LLM_MODEL: 'large', LLM_API_KEY: KEY };

const mediaStore = createFakeMediaStore();
const ears = createFakeRecognition({ otherwise: 'Hello! Your order is on its way.' });
/** The reply of a model of other settings; an error is thrown. */
let says: (() => string) | EngineError = () => 'Within 45 days.';
const made: string[] = [];
const usual = fakeEngineControls();
const offered: OwnModels = {
  cores: 8,
  memory: 16e9,
  canRun: true,
  models: [{ id: 'small.gguf', name: 'small', bytes: 1e8, memory: 5e8, isHere: true }],
};
const here: { status: EngineStatus } = { status: { state: 'ready', message: 'small answers.' } };
/** The running models. */
const running: LanguageEngine[] = [];
const controls = fakeEngineControls({
  ownModels: async () => offered,
  find: async () => [{ label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['llama3.2'] }],
  make: {
    ...usual.make,
    models: ({ languageModels }) =>
      languageModels.map(({ model }): LanguageEngine => {
        made.push(model);
        const fake = createFakeLanguage(() => {
          if (says instanceof EngineError) throw says;
          return says();
        });
        return { ...fake, name: model };
      }),
  },
});

const environment: NodeJS.ProcessEnv = {
  TTS_BASE_URL: 'http://10.0.0.7/v1',
  STT_API_KEY: 'of the environment',
};
let app: TestApp;
let owner: SignedIn;
beforeAll(async () => {
  app = await openTestApp({
    environment,
    engines: {
      controls,
      mediaStore,
      models: () => running,
      recognition: ears,
      synthesis: createFakeSynthesis(),
    },
  });
  owner = await app.signUp({ name: 'Ada Lovelace' });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.db.delete(engineSettings);
  controls.change(readConfig({}));
  says = () => 'Within 45 days.';
  made.length = 0;
});

const list = async () =>
  engineSettingsSchema.parse((await app.as(owner.token, 'GET', '/api/settings/engines')).json());
const engine = async (capability: EngineInUse['capability']) => {
  const found = (await list()).engines.find((each) => each.capability === capability);
  if (!found) throw new Error('It is not listed.');
  return found;
};
const put = (capability: string, values: object) =>
  app.as(owner.token, 'PUT', `/api/settings/engines/${capability}`, { values });
const tryIt = async (capability: string, values?: object) => {
  const body = values ? { values } : {};
  const answer = await app.as(owner.token, 'POST', `/api/settings/engines/${capability}/try`, body);
  return engineTrialsSchema.parse(answer.json()).trials;
};
const fieldOf = ({ fields }: EngineInUse, name: string) => fields.find((field) => field.name === name);

describe('a model on this machine, as owners see it', () => {
  it('is offered beside what was found, with what the machine has', async () => {
    const { own } = await list();
    expect(own).toEqual(offered);
  });

  it('says that it is fetched, loads or cannot run, whatever was asked meanwhile', async () => {
    here.status = { state: 'fetching', progress: 0.5, message: 'Fetching the model small.' };
    running.push({
      ...createFakeLanguage(() => 'Hello!'),
      name: 'small',
      here: { begin() {}, leave() {}, status: () => here.status },
    });
    await put('language', { LLM_OWN_MODEL: 'small.gguf' });
    const shown = await engine('language');
    expect(shown).toMatchObject({ name: 'small', by: 'settings', status: here.status });
    expect(fieldOf(shown, 'LLM_OWN_MODEL')).toMatchObject({ value: 'small.gguf', isSet: true });
    expect(shown).not.toHaveProperty('problem');
    running.length = 0;
  });

  it('is refused in one sentence where it is none', async () => {
    const answer = await put('language', { LLM_OWN_MODEL: 'notes.txt' });
    expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([400, ['LLM_OWN_MODEL']]);
  });
});

describe('engines, as owners see them', () => {
  it('are the embedded ones until somebody says otherwise', async () => {
    const { engines, found } = await list();
    expect(engines.map(({ capability, by }) => [capability, by])).toEqual([
      ['language', 'usual'],
      ['ears', 'usual'],
      ['voice', 'usual'],
      ['rooms', 'usual'],
      ['storage', 'usual'],
    ]);
    expect(engines[0]).toMatchObject({ name: 'Grounded responder', waitsForStart: false });
    expect(found).toEqual([{ label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['llama3.2'] }]);
  });

  it('are in use as soon as they are saved, and say by whom', async () => {
    expect((await put('language', hosted)).statusCode).toBe(200);
    expect(controls.inUse.languageModels).toMatchObject([{ model: 'large', apiKey: KEY }]);
    expect(await engine('language')).toMatchObject({
      by: 'settings',
      saved: { name: 'Ada Lovelace' },
      waitsForStart: false,
    });
    await put('language', { LLM_BASE_URL: null, LLM_MODEL: null, LLM_API_KEY: null });
    expect(controls.inUse.languageModels).toEqual([]);
    expect(await app.database.db.select().from(engineSettings)).toEqual([]);
  });

  it('answer by a key that has changed beside them, and by what owners saved', async () => {
    await put('language', hosted);
    environment.TTS_API_KEY = 'of today';
    const { languageModels, speechSynthesis } = await app.takeUpSettings();
    delete environment.TTS_API_KEY;
    expect([languageModels[0]?.apiKey, speechSynthesis?.apiKey]).toEqual([KEY, 'of today']);
    expect(controls.inUse).toMatchObject({ languageModels, speechSynthesis });
  });

  it('cost what owners say of each, from now on', async () => {
    await put('language', { ...hosted, ANTHROPIC_API_KEY: 'key', ANTHROPIC_MODEL: 'claude' });
    await put('language', { LLM_INPUT_PRICE: '0.1', LLM_OUTPUT_PRICE: '0.2' });
    const large = { model: 'large', input: 0.1, output: 0.2 };
    expect(controls.inUse.modelUse.prices).toEqual([large, { ...large, model: 'claude' }]);
    await put('language', { ANTHROPIC_INPUT_PRICE: '1', ANTHROPIC_OUTPUT_PRICE: '5' });
    expect(controls.inUse.modelUse.prices).toEqual([large, { model: 'claude', input: 1, output: 5 }]);
    const one = await put('language', { ANTHROPIC_OUTPUT_PRICE: null });
    expect(one.json().fields).toHaveProperty('ANTHROPIC_OUTPUT_PRICE');
  });

  it('take no more in a day than owners let them, from now on', async () => {
    const limit = async () =>
      (await app.as(owner.token, 'GET', '/api/insights/usage')).json().today.limit as number | null;
    expect(await limit()).toBeNull();
    await put('language', { LLM_TOKENS_PER_DAY: '5000' });
    expect(await limit()).toBe(5_000);
    expect(await engine('language')).toMatchObject({ by: 'usual' });
    const wrong = await put('language', { LLM_TOKENS_PER_DAY: 'some' });
    expect(wrong.json().fields).toHaveProperty('LLM_TOKENS_PER_DAY');
    await put('language', { LLM_TOKENS_PER_DAY: null });
    expect(await limit()).toBeNull();
  });

  it('wait for the next start where they are rooms or storage', async () => {
    await put('storage', { S3_BUCKET: 'recordings' });
    expect(await engine('storage')).toMatchObject({ by: 'usual', waitsForStart: true, name: 'Memory' });
    await put('storage', { S3_BUCKET: null });
    expect(await engine('storage')).toMatchObject({ waitsForStart: false });
  });

  it('never show a key again, nor keep one in the open, nor log one', async () => {
    const answer = await put('language', hosted);
    const withPassword = 'http://me:hunter2secret@127.0.0.1:9000/v1';
    await put('ears', { STT_BASE_URL: null });
    await put('language', { LLM_BASE_URL: withPassword, LLM_API_KEY: KEY });
    const { body } = await app.as(owner.token, 'GET', '/api/settings/engines');
    expect(fieldOf(await engine('language'), 'LLM_API_KEY')).toMatchObject({ value: null, isSet: true });
    expect(fieldOf(await engine('language'), 'LLM_BASE_URL')).toMatchObject({ value: null, isSet: true });
    expect(fieldOf(await engine('language'), 'LLM_MODEL')).toMatchObject({ value: 'large', isSet: true });
    const rows = JSON.stringify(await app.database.db.select().from(engineSettings));
    const log = (await app.as(owner.token, 'GET', '/api/audit')).body;
    for (const text of [answer.body, body, rows, log, JSON.stringify(app.logs())]) {
      expect(text).not.toContain(KEY);
      expect(text).not.toContain('hunter2');
    }
    expect(log).toContain('engine for language: LLM_BASE_URL LLM_MODEL LLM_API_KEY');
  });

  it('keep a key that is not named, where it was given for', async () => {
    await put('language', hosted);
    expect((await put('language', { LLM_MODEL: 'small' })).statusCode).toBe(200);
    expect(controls.inUse.languageModels).toMatchObject([{ model: 'small', apiKey: KEY }]);
    const elsewhere = await put('language', { LLM_BASE_URL: 'https://thief.example.com/v1' });
    expect([elsewhere.statusCode, Object.keys(elsewhere.json().fields)]).toEqual([400, ['LLM_API_KEY']]);
    const withoutKey = { LLM_BASE_URL: 'https://other.example.com/v1', LLM_API_KEY: null };
    expect((await put('language', withoutKey)).statusCode).toBe(200);
    expect(controls.inUse.languageModels).toMatchObject([{ apiKey: null }]);
  });

  it('let the environment win, and its keys go nowhere else', async () => {
    const voice = await engine('voice');
    expect(fieldOf(voice, 'TTS_BASE_URL')).toMatchObject({ value: 'http://10.0.0.7/v1', isFixed: true });
    const answer = await put('voice', { TTS_BASE_URL: 'http://10.0.0.8/v1' });
    expect([answer.statusCode, answer.json().message]).toEqual([
      409,
      'TTS_BASE_URL is set in the environment of the server, which wins. Change it there.',
    ]);
    expect((await put('voice', { TTS_VOICE: 'nova' })).statusCode).toBe(200);
    const key = await put('ears', { STT_BASE_URL: 'https://thief.example.com/v1' });
    expect([key.statusCode, key.json().message]).toEqual([
      409,
      'STT_API_KEY is set in the environment of the server. Set STT_BASE_URL there, too.',
    ]);
    expect((await engine('ears')).by).toBe('usual');
  });

  it.each([
    ['language', { LLM_BASE_URL: 'http://127.0.0.1:1/v1' }, 'LLM_MODEL', 'The setting LLM_MODEL is missing'],
    ['language', { LLM_BASE_URL: 'nowhere' }, 'LLM_BASE_URL', 'must be an http(s) address'],
    ['language', { ...hosted, LLM_BASE_URL: 'http://models.example.com' }, 'LLM_BASE_URL', 'https://'],
    ['storage', { S3_ENDPOINT: 'http://127.0.0.1:9000' }, 'S3_BUCKET', 'S3_BUCKET is missing'],
    ['rooms', { LIVEKIT_API_KEY: 'key' }, 'LIVEKIT_API_SECRET', 'LIVEKIT_API_SECRET is missing'],
    [
      'rooms',
      { LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 'moon' },
      'LIVEKIT_API_SECRET',
      'at least 32 characters',
    ],
    ['language', { PORT: '80' }, 'PORT', 'There is no setting PORT of this engine.'],
    ['voice', { TTS_MODEL: 'a\nb' }, 'values.TTS_MODEL', 'one line'],
  ])('refuse for %s %o at %s, and stay as they are', async (capability, values, field, sentence) => {
    const answer = await put(capability, values);
    expect([answer.statusCode, answer.json().fields[field]]).toEqual([
      400,
      expect.stringContaining(sentence),
    ]);
    expect(await app.database.db.select().from(engineSettings)).toEqual([]);
  });

  it('say that what was saved cannot be read any more', async () => {
    await put('language', hosted);
    await app.database.db.update(engineSettings).set({ sealed: 'broken' });
    expect((await engine('language')).problem).toBe(
      'What was saved here cannot be read any more. Save it again.',
    );
    expect((await put('language', hosted)).statusCode).toBe(200);
    expect((await engine('language')).problem).toBeUndefined();
    expect(await app.database.db.select().from(secrets)).not.toEqual([]);
  });

  it('are nothing for others', async () => {
    const member = await app.signUp();
    const answers = [
      await app.as(member.token, 'GET', '/api/settings/engines'),
      await app.as(member.token, 'PUT', '/api/settings/engines/voice', { values: {} }),
      await app.as(member.token, 'POST', '/api/settings/engines/voice/try', {}),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403]);
  });

  it('outlive whoever saved them', async () => {
    const other = await app.signUp();
    await app.database.db
      .update(users)
      .set({ isInstallationOwner: true })
      .where(eq(users.id, other.user._id));
    await app.as(other.token, 'PUT', '/api/settings/engines/language', { values: hosted });
    await app.database.db.delete(users).where(eq(users.id, other.user._id));
    expect(await engine('language')).toMatchObject({ by: 'settings', saved: { name: null } });
  });
});

describe('trying an engine', () => {
  it('asks a model of settings that are not saved, and keeps nothing of them', async () => {
    const [trial] = await tryIt('language', hosted);
    expect(trial).toMatchObject({
      name: 'large',
      text: 'Within 45 days.',
      firstMs: expect.any(Number),
      tokens: { input: 100, output: 4 },
    });
    expect(await app.database.db.select().from(engineSettings)).toEqual([]);
    expect(controls.inUse.languageModels).toEqual([]);
  });

  it('asks each model of the ladder', async () => {
    const trials = await tryIt('language', {
      ...hosted,
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_MODEL: 'claude',
    });
    expect(trials.map(({ name }) => name)).toEqual(['large', 'claude']);
  });

  it('tells the provider’s own complaint, without the key', async () => {
    const cause = new Error(`Incorrect API key provided: ${KEY}.`);
    says = new EngineError('The language model refused the server’s key (LLM_API_KEY).', {
      retryable: false,
      cause,
    });
    const [trial] = await tryIt('language', hosted);
    expect(trial?.problem).toBe(
      'The language model refused the server’s key (LLM_API_KEY). It says: “Incorrect API key provided: •••”',
    );
  });

  it('has the embedded reader answer where there is no model', async () => {
    const [trial] = await tryIt('language');
    expect(trial).toMatchObject({ name: 'Grounded responder' });
    // The fake reader is not sure; its offer comes from the demo agent's own text.
    expect(trial?.text).toContain('To return an item');
    expect(made).toEqual([]);
  });

  it('speaks, and says how long it took', async () => {
    const [trial] = await tryIt('voice');
    expect(trial).toMatchObject({ name: 'Fake voice', sound: { mediaType: 'audio/mpeg' } });
    expect(trial?.sound?.data.length).toBeGreaterThan(100);
    expect(trial?.asked).toMatch(/Your order \d{4} is on its way/);
  });

  it('understands what the voice says', async () => {
    const [trial] = await tryIt('ears');
    expect(trial).toMatchObject({ name: 'Fake ears', text: 'Hello! Your order is on its way.' });
    ears.otherwise = '';
    expect((await tryIt('ears'))[0]?.problem).toBe('It heard nothing.');
  });

  it('reaches rooms, and leaves nothing in storage', async () => {
    expect((await tryIt('rooms'))[0]).toMatchObject({ name: 'Fake rooms', text: expect.any(String) });
    expect((await tryIt('storage'))[0]?.text).toBe('A small file was written, read and removed.');
    expect(mediaStore.files.size).toBe(0);
  });

  it('refuses what could not be saved, and keys for another server', async () => {
    await put('language', hosted);
    const values = { LLM_BASE_URL: 'https://thief.example.com/v1' };
    const answer = await app.as(owner.token, 'POST', '/api/settings/engines/language/try', { values });
    expect([answer.statusCode, made]).toEqual([400, []]);
  });

  it('is one at a time', async () => {
    const { opened, open } = door();
    const before = ears.requests.length;
    ears.otherwise = async () => {
      await opened;
      return 'Hello!';
    };
    const first = tryIt('ears');
    await expect.poll(() => ears.requests.length).toBe(before + 1);
    const second = await app.as(owner.token, 'POST', '/api/settings/engines/voice/try', {});
    open();
    expect([second.statusCode, (await first)[0]?.text]).toEqual([429, 'Hello!']);
    expect((await tryIt('voice'))[0]?.sound).toBeDefined();
  });
});

import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { EngineField, EngineInUse, OwnModels } from '#shared/engine-settings';
import { defaultPreferences } from '#shared/preferences';
import { ada, fakeServer, never, openSettings, refusal } from '#web/test-support';

const aField = (name: string, label: string, changes: Partial<EngineField> = {}): EngineField => ({
  name,
  label,
  kind: 'text',
  value: null,
  isSet: false,
  isFixed: false,
  example: '',
  ...changes,
});
const language: EngineInUse = {
  capability: 'language',
  name: 'Grounded responder',
  by: 'usual',
  waitsForStart: false,
  status: { state: 'ready', message: 'Grounded responder answers.' },
  fields: [
    aField('LLM_OWN_MODEL', 'Model on this machine'),
    aField('LLM_BASE_URL', 'Address', { kind: 'address', example: 'http://127.0.0.1:11434/v1' }),
    aField('LLM_MODEL', 'Model'),
    aField('LLM_API_KEY', 'Key', { kind: 'key' }),
  ],
};
const voice: EngineInUse = {
  capability: 'voice',
  name: 'tts-1',
  by: 'settings',
  saved: { name: 'Ada Lovelace', at: '2026-11-22T09:00:00.000Z' },
  waitsForStart: false,
  status: { state: 'ready', message: 'The voice is ready.' },
  quick: { ms: 320, of: 12 },
  fields: [
    aField('TTS_BASE_URL', 'Address', {
      kind: 'address',
      value: 'http://10.0.0.7/v1',
      isSet: true,
      isFixed: true,
    }),
    aField('TTS_API_KEY', 'Key', { kind: 'key', isSet: true }),
  ],
};
const storage: EngineInUse = {
  ...language,
  capability: 'storage',
  name: 'Files',
  waitsForStart: true,
  problem: 'The setting S3_BUCKET is missing.',
  fields: [aField('S3_BUCKET', 'Bucket')],
};
const ollama = { label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['llama3.2', 'qwen3'] };
const own: OwnModels = {
  cores: 8,
  memory: 16e9,
  canRun: true,
  models: [
    {
      id: 'qwen3-4b',
      name: 'Qwen3 4B',
      about: 'Follows instructions.',
      license: 'Apache-2.0',
      bytes: 2.5e9,
      memory: 4.1e9,
      isHere: false,
      expected: { firstSentenceMs: 6_200, tokensPerSecond: 14 },
    },
    {
      id: 'qwen3-30b',
      name: 'Qwen3 30B',
      bytes: 18.6e9,
      memory: 19.8e9,
      isHere: false,
      expected: { firstSentenceMs: 5_000, tokensPerSecond: 17 },
    },
    { id: 'mine.gguf', name: 'mine', bytes: 1e9, memory: 1.7e9, isHere: true },
  ],
};
const everything = {
  'GET /api/auth/me': { body: { ...ada, role: 'owner', isInstallationOwner: true } },
  'GET /api/agents': { body: [] },
  'GET /api/preferences': { body: defaultPreferences },
  'GET /api/settings/engines': { body: { engines: [language, voice, storage], found: [], own } },
};

const openEngines = async () => (await openSettings('Engines')).dialog;
const card = async (dialog: Awaited<ReturnType<typeof openEngines>>, name: string) =>
  within(await dialog.findByRole('region', { name }));

it('shows what is in use, by whose setting, how quick, and what is wrong', async () => {
  fakeServer(everything);
  const dialog = await openEngines();
  expect((await card(dialog, 'Language')).getByText('Default')).toBeVisible();
  const ofVoice = await card(dialog, 'Voice');
  expect(ofVoice.getByText(/^Ada Lovelace, .* ago$/)).toBeVisible();
  expect(ofVoice.getByText('320 ms (median of 12)')).toBeVisible();
  const ofStorage = await card(dialog, 'Storage');
  expect(ofStorage.getByText('The setting S3_BUCKET is missing.')).toBeVisible();
  expect(ofStorage.getByText('Saved settings apply from the next start of the server.')).toBeVisible();
});

it('saves what was typed, and only that', async () => {
  const seen = fakeServer({
    ...everything,
    'PUT /api/settings/engines/language': {
      body: { ...language, name: 'large', by: 'settings', saved: voice.saved },
    },
  });
  const dialog = await openEngines();
  const ofLanguage = await card(dialog, 'Language');
  await userEvent.click(ofLanguage.getByRole('button', { name: 'Change Language' }));
  expect(ofLanguage.getByRole('button', { name: 'Save' })).toBeDisabled();
  await userEvent.type(ofLanguage.getByLabelText('Address'), ' https://models.example.com/v1');
  await userEvent.type(ofLanguage.getByLabelText('Model'), 'large');
  await userEvent.click(ofLanguage.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved. Applies from now on.')).toBeVisible();
  expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({
    values: { LLM_BASE_URL: 'https://models.example.com/v1', LLM_MODEL: 'large' },
  });
});

it('never shows a key, replaces or removes it, and leaves what the environment sets', async () => {
  const seen = fakeServer({ ...everything, 'PUT /api/settings/engines/voice': { body: voice } });
  const dialog = await openEngines();
  const ofVoice = await card(dialog, 'Voice');
  await userEvent.click(ofVoice.getByRole('button', { name: 'Change Voice' }));
  expect(ofVoice.getByLabelText('Address')).toHaveAttribute('readonly');
  expect(
    ofVoice.getByText('TTS_BASE_URL is set in the server’s environment, which takes precedence.'),
  ).toBeVisible();
  const key = ofVoice.getByLabelText('Key');
  expect([key.getAttribute('type'), key.getAttribute('placeholder')]).toEqual([
    'password',
    'Set. Type to replace it.',
  ]);
  await userEvent.click(ofVoice.getByRole('button', { name: 'Remove Key' }));
  await userEvent.click(ofVoice.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({ values: { TTS_API_KEY: null } }),
  );
});

it('says at its field what is wrong', async () => {
  const sentence = 'The setting LLM_MODEL is missing: LLM_BASE_URL needs the name of the model to ask for.';
  fakeServer({
    ...everything,
    'PUT /api/settings/engines/language': refusal(400, sentence, 'invalid-input', { LLM_MODEL: sentence }),
  });
  const ofLanguage = await card(await openEngines(), 'Language');
  await userEvent.click(ofLanguage.getByRole('button', { name: 'Change Language' }));
  await userEvent.type(ofLanguage.getByLabelText('Address'), 'http://127.0.0.1:1/v1');
  await userEvent.click(ofLanguage.getByRole('button', { name: 'Save' }));
  expect(await ofLanguage.findByText(sentence)).toBeVisible();
  expect(ofLanguage.getByLabelText('Model')).toHaveAttribute('aria-invalid', 'true');
});

it('tries what is typed before it is saved, and tells the complaint', async () => {
  const problem = 'The language model refused the server’s key (LLM_API_KEY). It says: “No such key”';
  const seen = fakeServer({
    ...everything,
    'POST /api/settings/engines/language/try': { body: { trials: [{ name: 'large', problem, ms: 80 }] } },
  });
  const ofLanguage = await card(await openEngines(), 'Language');
  await userEvent.click(ofLanguage.getByRole('button', { name: 'Change Language' }));
  await userEvent.type(ofLanguage.getByLabelText('Model'), 'large');
  await userEvent.click(ofLanguage.getByRole('button', { name: 'Try before saving' }));
  expect(await ofLanguage.findByText(problem)).toBeVisible();
  expect(seen.find(({ method }) => method === 'POST')?.body).toEqual({ values: { LLM_MODEL: 'large' } });
});

it('tries what is in use, and shows text, sound and times', async () => {
  const sound = { data: 'AAAA', mediaType: 'audio/mpeg' };
  const seen = fakeServer({
    ...everything,
    'POST /api/settings/engines/voice/try': {
      body: { trials: [{ name: 'tts-1', asked: 'Hello!', sound, firstMs: 210, ms: 1_480 }] },
    },
  });
  const ofVoice = await card(await openEngines(), 'Voice');
  await userEvent.click(ofVoice.getByRole('button', { name: 'Try it' }));
  expect(await ofVoice.findByText('First sound after 210 ms · Total 1,480 ms')).toBeVisible();
  expect(ofVoice.getByLabelText('What tts-1 said')).toHaveAttribute('src', 'data:audio/mpeg;base64,AAAA');
  expect(seen.find(({ method }) => method === 'POST')?.body).toEqual({});
});

it('offers a server that was found, with one press', async () => {
  const seen = fakeServer({
    ...everything,
    'GET /api/settings/engines': { body: { engines: [language], found: [ollama], own } },
    'PUT /api/settings/engines/language': { body: language },
  });
  const ofLanguage = await card(await openEngines(), 'Language');
  await userEvent.selectOptions(ofLanguage.getByLabelText('Model of Ollama'), 'qwen3');
  await userEvent.click(ofLanguage.getByRole('button', { name: 'Use Ollama' }));
  expect(await screen.findByText('Ollama answers from now on.')).toBeVisible();
  expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({
    values: { LLM_BASE_URL: ollama.baseUrl, LLM_MODEL: 'qwen3', LLM_API_KEY: null },
  });
});

it('offers none where the environment settles the model', async () => {
  const fields = [aField('LLM_MODEL', 'Model', { value: 'large', isSet: true, isFixed: true })];
  fakeServer({
    ...everything,
    'GET /api/settings/engines': { body: { engines: [{ ...language, fields }], found: [ollama], own } },
  });
  await card(await openEngines(), 'Language');
  expect(screen.queryByRole('button', { name: 'Use Ollama' })).toBeNull();
});

it('says that they could not be loaded, and waits while they come', async () => {
  let answer: ReturnType<typeof refusal> | ReturnType<typeof never> = refusal(503, 'Not now.', 'unavailable');
  fakeServer({ ...everything, 'GET /api/settings/engines': () => answer });
  const dialog = await openEngines();
  expect(await dialog.findByText('The engines could not be loaded.', {}, { timeout: 5_000 })).toBeVisible();
  answer = never();
  await userEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  expect(dialog.queryByRole('region', { name: 'Language' })).toBeNull();
});

it('offers models for this machine, what they take and what to expect, and uses one with one press', async () => {
  const fetching: EngineInUse = {
    ...language,
    name: 'Qwen3 4B',
    by: 'settings',
    saved: voice.saved,
    status: { state: 'fetching', progress: 0.4, message: 'Fetching Qwen3 4B (1,000 of 2,497 MB).' },
    fields: [aField('LLM_OWN_MODEL', 'Model on this machine', { value: 'qwen3-4b', isSet: true })],
  };
  const seen = fakeServer({ ...everything, 'PUT /api/settings/engines/language': { body: fetching } });
  const dialog = await openEngines();
  const ofLanguage = await card(dialog, 'Language');
  await userEvent.click(ofLanguage.getByRole('button', { name: 'Show models' }));
  expect(ofLanguage.getByText(/needs the internet\. This machine has 8 cores and 16\.0 GB/)).toBeVisible();
  expect(ofLanguage.getByText('2.5 GB file · 4.1 GB of memory · Apache-2.0')).toBeVisible();
  expect(
    ofLanguage.getByText('First sentence after about 6 s, then about 11 words per second.'),
  ).toBeVisible();
  expect(ofLanguage.getByText('Needs more memory than this machine has.')).toBeVisible();
  expect(ofLanguage.getByRole('button', { name: 'Use Qwen3 30B' })).toBeDisabled();
  expect(ofLanguage.getByText('Downloaded')).toBeVisible();
  await userEvent.click(ofLanguage.getByRole('button', { name: 'Use Qwen3 4B' }));
  await waitFor(() =>
    expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({
      values: { LLM_OWN_MODEL: 'qwen3-4b', LLM_OWN_SHA256: null },
    }),
  );
});

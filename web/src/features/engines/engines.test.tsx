import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { EngineField, EngineInUse } from '#shared/engine-settings';
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
const everything = {
  'GET /api/auth/me': { body: { ...ada, role: 'owner' } },
  'GET /api/agents': { body: [] },
  'GET /api/preferences': { body: defaultPreferences },
  'GET /api/settings/engines': { body: { engines: [language, voice, storage], found: [] } },
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
  expect(ofStorage.getByText('What is saved is used from the next start of the server.')).toBeVisible();
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
  expect(await screen.findByText('Saved. It is in use from now on.')).toBeVisible();
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
    ofVoice.getByText('TTS_BASE_URL is set in the environment of the server, which wins.'),
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
  expect(await ofVoice.findByText('First sound 210 ms · In all 1,480 ms')).toBeVisible();
  expect(ofVoice.getByLabelText('What tts-1 said')).toHaveAttribute('src', 'data:audio/mpeg;base64,AAAA');
  expect(seen.find(({ method }) => method === 'POST')?.body).toEqual({});
});

it('offers a server that was found, with one press', async () => {
  const seen = fakeServer({
    ...everything,
    'GET /api/settings/engines': { body: { engines: [language], found: [ollama] } },
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
    'GET /api/settings/engines': { body: { engines: [{ ...language, fields }], found: [ollama] } },
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

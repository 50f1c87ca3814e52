import { expect, it } from 'vitest';
import { readConfig } from '#server/settings/config';
import { noMetrics } from '#server/telemetry/metrics';
import { fakeEngineControls } from '../../tests/support/fake-engine-controls.ts';
import type { EngineConfig } from './controls.ts';
import { createFakeLanguage } from './language/fake.ts';
import { openLive } from './live.ts';
import { createFakeRecognition } from './recognition/fake.ts';
import { createFakeSynthesis } from './synthesis/fake.ts';

const address = 'http://127.0.0.1:1/v1';
const language = { LLM_BASE_URL: address, LLM_MODEL: 'large' };

/** Live engines named after their settings, and a record of which were created and closed. */
function liveEngines(
  config: EngineConfig,
  kept: Pick<Parameters<typeof openLive>[1], 'rooms' | 'mediaStore'> = { rooms: {}, mediaStore: {} },
) {
  const seen: string[] = [];
  const named = <E extends { close(): Promise<void> }>(engine: E, name: string) => {
    seen.push(`${name} made`);
    const close = async () => void seen.push(`${name} closed`);
    return Object.assign(engine, { name, close });
  };
  const { make, find, ownModels } = fakeEngineControls();
  const live = openLive(
    config,
    {
      find,
      ownModels,
      ...kept,
      make: {
        ...make,
        models: ({ languageModels }) =>
          languageModels.map(({ kind, model }) => ({
            ...createFakeLanguage(() => 'Hello!'),
            name: model,
            ...(kind === 'own'
              ? {
                  here: {
                    begin: () => void seen.push(`${model} begins`),
                    status: () => ({ state: 'ready' as const, message: 'It answers.' }),
                    leave: () => void seen.push(`${model} leaves`),
                  },
                }
              : {}),
          })),
        recognition: ({ speechRecognition }) =>
          named(createFakeRecognition(), speechRecognition?.model ?? 'ears'),
        synthesis: ({ speechSynthesis }) => named(createFakeSynthesis(), speechSynthesis?.voice ?? 'voice'),
      },
    },
    noMetrics,
    { warn: () => {} },
  );
  return { live, seen };
}

it('changes what differs and nothing else', () => {
  const { live, seen } = liveEngines(readConfig({}));
  expect([live.models(), live.recognition.name, live.synthesis.name]).toEqual([[], 'ears', 'voice']);
  live.controls.change(readConfig({ ...language, TTS_BASE_URL: address, TTS_VOICE: 'nova' }));
  expect(live.models().map(({ name }) => name)).toEqual(['large']);
  expect([live.recognition.name, live.synthesis.name]).toEqual(['ears', 'nova']);
  live.controls.change(readConfig({ ...language, TTS_BASE_URL: address, TTS_VOICE: 'nova' }));
  expect(seen).toEqual(['ears made', 'voice made', 'nova made', 'voice closed']);
});

it('says what is in use, rooms and storage being those of the start', () => {
  const { live } = liveEngines(readConfig({}));
  live.controls.change(readConfig({ ...language, S3_BUCKET: 'recordings' }));
  expect(live.controls.inUse).toMatchObject({ languageModels: [{ model: 'large' }], mediaBucket: null });
});

it('hands rooms and storage other keys of their own server, and nothing of another', () => {
  const taken: object[] = [];
  const kept = {
    rooms: { takeKeys: (keys: object) => void taken.push(keys) },
    mediaStore: { takeKeys: (keys: object) => void taken.push(keys) },
  };
  const long = (secret: string) => secret.padEnd(32, '.');
  const settingsOf = (secret: string, host = 'rooms.example.com') =>
    readConfig({
      LIVEKIT_URL: `wss://${host}`,
      LIVEKIT_API_KEY: 'room',
      LIVEKIT_API_SECRET: long(secret),
      S3_BUCKET: 'recordings',
      S3_ENDPOINT: `https://${host}`,
      S3_ACCESS_KEY_ID: 'store',
      S3_SECRET_ACCESS_KEY: secret,
    });
  const { live } = liveEngines(settingsOf('first'), kept);
  live.controls.change(settingsOf('second'));
  expect(taken).toEqual([
    expect.objectContaining({ apiKey: 'room', apiSecret: long('second') }),
    { accessKeyId: 'store', secretAccessKey: 'second' },
  ]);
  expect(live.controls.inUse).toMatchObject({
    rooms: { livekit: { apiSecret: long('second') } },
    mediaBucket: { credentials: { secretAccessKey: 'second' } },
  });
  live.controls.change(settingsOf('second'));
  live.controls.change(settingsOf('third', 'elsewhere.example.com'));
  expect(taken).toHaveLength(2);
  expect(live.controls.inUse.rooms.livekit?.apiSecret).toBe(long('second'));
});

it('measures each engine by itself', async () => {
  const { live } = liveEngines(readConfig({}));
  await live.recognition.recognize({ samples: new Float32Array(1), urgency: 'partial' });
  expect(live.controls.lately('recognition').quick).toBeNull();
  await live.recognition.recognize({ samples: new Float32Array(1), urgency: 'final' });
  expect(live.controls.lately('recognition').quick?.of).toBe(1);
  live.controls.change(readConfig({ STT_BASE_URL: address }));
  expect(live.controls.lately('recognition').quick).toBeNull();
});

it('has a model of this machine begin, and the one before leave after that', () => {
  const { live, seen } = liveEngines(readConfig({ LLM_OWN_MODEL: 'a.gguf' }));
  live.controls.change(readConfig({ LLM_OWN_MODEL: 'b.gguf' }));
  live.controls.change(readConfig({}));
  expect(seen.filter((said) => / (?:begins|leaves)$/.test(said))).toEqual([
    'a begins',
    'b begins',
    'a leaves',
    'b leaves',
  ]);
});

import { expect, it } from 'vitest';
import { createVoiceActivity } from './index.ts';

it.each([
  ['the weights of the embedded ears', null, 'hearing'],
  [
    'the part that notices speech alone, where others recognise it',
    { baseUrl: 'http://ears.internal/v1', model: 'whisper-1', apiKey: null },
    'listening',
  ],
])('wants %s', async (_, speechRecognition, bundle) => {
  const wanted: string[] = [];
  const engine = createVoiceActivity({
    weights: {
      status: () => ({ state: 'fetching', message: 'They are being fetched.' }),
      ensure: (name, signal) => {
        wanted.push(name);
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    },
    speechRecognition,
  });
  await engine.close();
  expect(wanted).toEqual([bundle]);
});

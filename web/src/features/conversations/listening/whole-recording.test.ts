import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ShownMessage } from '../api.ts';
import { TooLongError, wholeRecording } from './whole-recording.ts';

const RATE = 16_000;
let sounds: Record<string, { seconds: number; level: number }>;

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.stubGlobal('fetch', async (url: URL) =>
    sounds[url.pathname]
      ? new Response(url.pathname)
      : new Response('', { status: url.pathname === '/expired' ? 403 : 404 }),
  );
  vi.stubGlobal(
    'OfflineAudioContext',
    class {
      async decodeAudioData(bytes: ArrayBuffer) {
        const { seconds = 0, level = 0 } = sounds[new TextDecoder().decode(bytes)] ?? {};
        const samples = new Float32Array(seconds * RATE).fill(level);
        return { duration: seconds, getChannelData: () => samples };
      }
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

const message = (
  id: string,
  role: 'user' | 'assistant',
  second: number,
  change: Partial<ShownMessage> = {},
): ShownMessage => ({
  _id: id,
  role,
  author: { kind: role === 'user' ? 'contact' : 'agent' },
  content: 'Hello.',
  timestamp: new Date(Date.UTC(2026, 10, 20) + second * 1_000).toISOString(),
  audioUrl: `/${id}`,
  audioDuration: 2,
  ...change,
});
const make = (...messages: ShownMessage[]) =>
  wholeRecording(messages, async (id) => `/${id}`, new AbortController().signal);
async function samplesOf(file: File): Promise<Int16Array> {
  return new Int16Array((await file.arrayBuffer()).slice(44));
}
/** The loudness at a second, relative to full scale. */
const at = (samples: Int16Array, second: number) =>
  Math.round(((samples[Math.round(second * RATE)] ?? 0) / 32_767) * 100) / 100;

it('has every turn at its place, and both where one cut in', async () => {
  sounds = { '/a': { seconds: 2, level: 0.2 }, '/b': { seconds: 2, level: 0.3 } };
  const { file, missing } = await make(
    message('a', 'assistant', 0, { interrupted: true }),
    message('b', 'user', 3.5),
  );
  const samples = await samplesOf(file);
  expect([at(samples, 1), at(samples, 1.75), at(samples, 3), missing]).toEqual([0.2, 0.5, 0.3, 0]);
  expect([file.type, samples.length]).toEqual(['audio/wav', 3.5 * RATE]);
});

it('is never louder than a file can be', async () => {
  sounds = { '/a': { seconds: 2, level: 0.9 }, '/b': { seconds: 2, level: 0.9 } };
  const { file } = await make(message('a', 'assistant', 0, { interrupted: true }), message('b', 'user', 3.5));
  expect(at(await samplesOf(file), 1.75)).toBe(1);
});

it('measures what does not say its length, renews what has expired, and goes on without what is gone', async () => {
  sounds = { '/a': { seconds: 5, level: 0.2 }, '/c': { seconds: 1, level: 0.3 } };
  const { audioDuration: _unknown, ...unmeasured } = message('a', 'assistant', 0);
  const { file, missing } = await make(
    unmeasured,
    message('b', 'user', 9),
    message('c', 'assistant', 10, { audioUrl: '/expired', audioDuration: 1 }),
  );
  const samples = await samplesOf(file);
  expect([at(samples, 4.9), missing]).toEqual([0.2, 1]);
  expect(at(samples, samples.length / RATE - 0.5)).toBe(0.3);
});

it('refuses what no browser could hold', async () => {
  await expect(make(message('a', 'user', 0, { audioDuration: 3_601 }))).rejects.toThrow(TooLongError);
});

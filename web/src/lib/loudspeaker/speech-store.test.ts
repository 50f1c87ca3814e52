import { expect, it } from 'vitest';
import { SpeechStore } from './speech-store.ts';

const bytes = (length: number) => new Uint8Array(length);

it('keeps the sentences of a reply and knows which is the last', () => {
  const store = new SpeechStore();
  store.add('reply', 1, bytes(2), true);
  store.add('reply', 0, bytes(3), false);
  expect(store.get('reply')).toMatchObject({ last: 1, bytes: 5 });
  expect([...(store.get('reply')?.clips.keys() ?? [])].sort()).toEqual([0, 1]);
});

it('takes a sentence once, and a sound for one announced without', () => {
  const store = new SpeechStore();
  expect(store.add('reply', 0, null, false)).toBe(true);
  expect(store.add('reply', 0, null, false)).toBe(false);
  expect(store.add('reply', 0, bytes(4), false)).toBe(true);
  expect(store.add('reply', 0, bytes(9), false)).toBe(false);
  expect(store.get('reply')?.bytes).toBe(4);
});

it('forgets the oldest replies past its bound, never the newest', () => {
  const store = new SpeechStore(10);
  store.add('first', 0, bytes(6), true);
  store.add('second', 0, bytes(4), true);
  expect(store.has('first')).toBe(true);
  store.add('third', 0, bytes(20), true);
  expect([store.has('first'), store.has('second'), store.has('third')]).toEqual([false, false, true]);
});

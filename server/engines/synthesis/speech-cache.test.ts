import { describe, expect, it } from 'vitest';
import { SpeechCache } from './speech-cache.ts';

const speech = (bytes: number, durationMs = 1) => ({
  audio: new Uint8Array(bytes).fill(7),
  mediaType: 'audio/mpeg',
  durationMs,
});

describe('SpeechCache', () => {
  it('answers what it was given', () => {
    const cache = new SpeechCache(100);
    cache.set('hello', speech(10, 42));
    expect(cache.get('hello')).toEqual(speech(10, 42));
    expect(cache.get('bye')).toBeNull();
  });

  it('forgets the least recently used one when it is full', () => {
    const cache = new SpeechCache(100);
    cache.set('a', speech(40));
    cache.set('b', speech(40));
    cache.get('a');
    cache.set('c', speech(40));
    expect([cache.get('a'), cache.get('b'), cache.get('c')].map((found) => found !== null)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('counts a text that is given again once', () => {
    const cache = new SpeechCache(100);
    for (let time = 0; time < 10; time++) cache.set('a', speech(40));
    cache.set('b', speech(40));
    expect(cache.get('a')).not.toBeNull();
    expect(cache.get('b')).not.toBeNull();
  });

  it('keeps nothing that is larger than itself', () => {
    const cache = new SpeechCache(100);
    cache.set('a', speech(40));
    cache.set('huge', speech(101));
    expect(cache.get('huge')).toBeNull();
    expect(cache.get('a')).not.toBeNull();
  });

  it('stays whole when somebody empties the buffer they got', () => {
    const cache = new SpeechCache(100);
    cache.set('a', speech(40));
    const got = cache.get('a');
    if (got) structuredClone(got.audio, { transfer: [got.audio.buffer as ArrayBuffer] });
    expect(cache.get('a')).toEqual(speech(40));
  });
});

import { durationMs, type Sound } from '#server/audio/sound';
import type { SoundEncoder } from './contract.ts';

/** A sound whose fake-encoded file is a text, so that tests can compare what was played. */
export const soundOfText = (text: string, ms = 1_000): Sound => {
  const bytes = new TextEncoder().encode(text);
  return { samples: Float32Array.from(bytes, (byte) => byte / 256), sampleRate: (bytes.length * 1_000) / ms };
};

/** The text of such a sound. */
export const textOfSound = ({ samples }: Sound): string =>
  new TextDecoder().decode(Uint8Array.from(samples, (sample) => sample * 256));

/** Encodes to the bytes of the sound's text. */
export const createFakeEncoder = (): SoundEncoder => ({
  encode: async (sound) => ({
    audio: new TextEncoder().encode(textOfSound(sound)),
    mediaType: 'audio/mpeg',
    durationMs: durationMs(sound),
  }),
  cut: () => null,
  streamed: ({ audio }) => audio,
  async close() {},
});

import { expect, it } from 'vitest';
import { toWav } from './wav.ts';

it('is a WAV file of one channel at the given rate, with every sample in it', async () => {
  const file = toWav([Int16Array.of(1, -2), Int16Array.of(32_767)], 16_000);
  const bytes = new DataView(await file.arrayBuffer());
  const text = (at: number, length: number) =>
    String.fromCharCode(...new Uint8Array(bytes.buffer, at, length));
  expect([text(0, 4), text(8, 8), text(36, 4)]).toEqual(['RIFF', 'WAVEfmt ', 'data']);
  expect(bytes.getUint32(4, true)).toBe(bytes.byteLength - 8);
  expect([bytes.getUint16(20, true), bytes.getUint16(22, true), bytes.getUint16(34, true)]).toEqual([
    1, 1, 16,
  ]);
  expect([bytes.getUint32(24, true), bytes.getUint32(28, true)]).toEqual([16_000, 32_000]);
  expect(bytes.getUint32(40, true)).toBe(6);
  expect([44, 46, 48].map((at) => bytes.getInt16(at, true))).toEqual([1, -2, 32_767]);
  expect([file.type, file.name]).toEqual(['audio/wav', 'recording.wav']);
});

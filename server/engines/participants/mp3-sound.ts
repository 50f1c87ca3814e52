import { MPEGDecoder } from 'mpg123-decoder';

/** Rate of the voice on its way into a room, in Hz: what speech holds, in frames of whole samples. */
export const SPEECH_RATE = 24_000;

/** @returns mono sound as the file's encoder got it, -1 to 1 */
export type DecodeMp3 = (file: Uint8Array) => Promise<{ samples: Float32Array; sampleRate: number }>;

/**
 * Loads the decoder once; decoding takes some 2 ms for a second of speech, on the thread that calls. Gapless: the
 * silence that an encoder adds is cut off as the file's own tag says.
 */
export function createMp3Decoder(): DecodeMp3 {
  const decoder = new MPEGDecoder({ enableGapless: true });
  let free: Promise<unknown> = decoder.ready;
  return (file) => {
    const decoded = free.then(() => {
      const { channelData, sampleRate } = decoder.decode(file);
      return { samples: channelData[0] ?? new Float32Array(), sampleRate };
    });
    // Made ready for the next file when nobody waits for it any more.
    free = decoded.then(
      () => decoder.reset(),
      () => decoder.reset(),
    );
    return decoded;
  };
}

import { MPEGDecoder } from 'mpg123-decoder';
import type { Sound } from '#server/audio/sound';

const decoder = new MPEGDecoder({ enableGapless: true });
let free: Promise<unknown> = decoder.ready;

/** Decodes a file as a player does: the encoder's padding is cut off according to the file's tag. */
export function decodeMp3(file: Uint8Array): Promise<Sound & { errors: number }> {
  const decoded = free.then(() => {
    const { channelData, sampleRate, errors } = decoder.decode(file);
    return {
      samples: (channelData[0] ?? new Float32Array()).slice(),
      sampleRate,
      errors: errors.length,
    };
  });
  free = decoded.then(
    () => decoder.reset(),
    () => decoder.reset(),
  );
  return decoded;
}

import { resample } from '#server/audio/resampler';
import { decodeWav, WavError } from '#server/audio/wav';
import { HEARING_SAMPLE_RATE } from '#server/engines/recognition/contract';
import { serveWorkerThread, Transfer } from '#server/threads/worker-thread';
import { type Refusal, refusal } from '#shared/refusals/refusal';

/** Methods of the thread that reads what was sent to be heard. */
export type ReadSoundMethods = {
  /** @returns the sound at HEARING_SAMPLE_RATE, or what is wrong with the file */
  read: (request: { file: Uint8Array }) => Transfer<Float32Array> | Refusal;
};

/** What the ears hear at once. */
const LONGEST_S = 15 * 60;

const methods: ReadSoundMethods = {
  read({ file }) {
    try {
      const { samples, sampleRate } = decodeWav(file);
      if (samples.length > LONGEST_S * sampleRate)
        return refusal('speech.sound-too-long', { minutes: LONGEST_S / 60 });
      const heard = resample(samples, sampleRate, HEARING_SAMPLE_RATE);
      return new Transfer(heard, [heard.buffer]);
    } catch (error) {
      if (error instanceof WavError) return refusal('speech.sound-unreadable', { problem: error.message });
      if (error instanceof RangeError) return refusal('engines.said', { text: error.message });
      throw error;
    }
  },
};

serveWorkerThread(methods);

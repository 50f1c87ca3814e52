import { InferenceSession, Tensor } from 'onnxruntime-node';
import { inNativeCode } from '#server/threads/pulse';

/** Samples per frame at 16 kHz, as the model was trained. */
export const SILERO_FRAME = 512;
/** Samples before each frame that the model also gets. */
const CONTEXT = 64;
/** Shape of the model's state: two layers of 128. */
const STATE = [2, 1, 128];
const STATE_SIZE = 256;
/** Speech ends when the probability falls this far below the threshold. */
const HYSTERESIS = 0.15;

interface SileroOptions {
  /** Probability above which a frame is speech, 0 to 1. */
  threshold: number;
  /**
   * Number of consecutive frames above the threshold that begin speech; the last of them is the first to
   * count.
   */
  onsetFrames: number;
}

/** Detects speech in one stream, one frame after the other: the result depends on earlier frames. */
export interface SileroFrames {
  /** @param frame SILERO_FRAME samples @returns whether it is speech */
  accept(frame: Float32Array): Promise<boolean>;
}

/**
 * Silero VAD (MIT, github.com/snakers4/silero-vad), loaded once for any number of streams. A frame takes a
 * tenth of a millisecond on the calling thread: for worker threads only.
 * @throws when the model cannot be loaded
 */
export async function loadSilero(model: string): Promise<(options: SileroOptions) => SileroFrames> {
  const session = await inNativeCode(() =>
    InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1, enableCpuMemArena: false }),
  );
  const sampleRate = new Tensor('int64', BigInt64Array.of(16_000n), []);

  return ({ threshold, onsetFrames }) => {
    let state: Float32Array = new Float32Array(STATE_SIZE);
    const input = new Float32Array(CONTEXT + SILERO_FRAME);
    let above = 0;
    let speaks = false;

    async function probabilityOf(frame: Float32Array): Promise<number> {
      input.copyWithin(0, SILERO_FRAME);
      input.set(frame, CONTEXT);
      const { output, stateN } = await inNativeCode(() =>
        session.run({
          input: new Tensor('float32', input, [1, input.length]),
          state: new Tensor('float32', state, STATE),
          sr: sampleRate,
        }),
      );
      const [probability] = output?.data ?? [];
      if (typeof probability !== 'number' || !(stateN?.data instanceof Float32Array))
        throw new Error('The voice activity model answered no probability.');
      state = stateN.data;
      return probability;
    }

    return {
      async accept(frame) {
        const probability = await probabilityOf(frame);
        above = probability > threshold ? above + 1 : 0;
        speaks = speaks ? probability > threshold - HYSTERESIS : above >= onsetFrames;
        return speaks;
      },
    };
  };
}

import { join } from 'node:path';
import { loadSilero, SILERO_FRAME, type SileroFrames } from '#server/engines/silero-frames';
import { EngineError } from '#server/lib/engine-error';
import { serveWorkerThread } from '#server/threads/worker-thread';

/** Methods of the detecting thread. The caller numbers streams; a stream is created by its first call. */
export type SileroMethods = {
  load: (options: { dir: string; threshold: number }) => Promise<void>;
  /** @returns for each completed frame, in order, whether it is speech */
  accept: (request: { stream: number; samples: Float32Array }) => Promise<boolean[]>;
  close: (request: { stream: number }) => Promise<void>;
};

const MAX_STREAMS = 48;
/** Half a second; then other streams get their turn. */
const FRAMES_IN_A_ROW = 16;

interface Stream {
  frames: SileroFrames;
  rest: Float32Array;
  /** Resolves when all earlier input was processed. */
  done: Promise<unknown>;
}

/** One frame: over the agent's voice the first one counts. */
const ONSET_FRAMES = 1;

let make: (() => SileroFrames) | null = null;
const streams = new Map<number, Stream>();

const methods: SileroMethods = {
  async load({ dir, threshold }) {
    try {
      const create = await loadSilero(join(dir, 'silero', 'silero_vad.onnx'));
      make = () => create({ threshold, onsetFrames: ONSET_FRAMES });
      // The first frames are slow, so warm up before a customer waits.
      const frames = make();
      for (let index = 0; index < 4; index++) await frames.accept(new Float32Array(SILERO_FRAME));
    } catch (error) {
      make = null;
      throw new EngineError('The ears could not be loaded and are tried again; typing works meanwhile.', {
        retryable: true,
        cause: error,
      });
    }
  },

  async accept({ stream: id, samples }) {
    const stream = streams.get(id) ?? open(id);
    const frames = stream.done.then(() => listen(stream, samples));
    stream.done = frames.catch(() => {});
    return frames;
  },

  async close({ stream: id }) {
    const stream = streams.get(id);
    if (!stream) return;
    streams.delete(id);
    await stream.done;
  },
};

function open(id: number): Stream {
  if (!make) throw new EngineError('The ears are still loading.', { retryable: true });
  if (streams.size >= MAX_STREAMS)
    throw new EngineError('The ears are busy with too many calls; try again later.', { retryable: true });
  const stream = { frames: make(), rest: new Float32Array(), done: Promise.resolve() };
  streams.set(id, stream);
  return stream;
}

async function listen(stream: Stream, samples: Float32Array): Promise<boolean[]> {
  const all = new Float32Array(stream.rest.length + samples.length);
  all.set(stream.rest);
  all.set(samples, stream.rest.length);
  const speech: boolean[] = [];
  let at = 0;
  for (; at + SILERO_FRAME <= all.length; at += SILERO_FRAME) {
    if (speech.length > 0 && speech.length % FRAMES_IN_A_ROW === 0)
      await new Promise((resolve) => setImmediate(resolve));
    speech.push(await stream.frames.accept(all.slice(at, at + SILERO_FRAME)));
  }
  stream.rest = all.slice(at);
  return speech;
}

serveWorkerThread(methods);

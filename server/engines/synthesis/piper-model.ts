import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { EngineError } from '#server/lib/engine-error';
import { inNativeCode } from '#server/threads/pulse';
import { startWorkerThread } from '#server/threads/worker-thread';
import { SAMPLE_RATE } from './finish.ts';
import type { OnnxCutMethods } from './onnx-cut.worker.ts';

export interface PiperVoice {
  /** Speaker of the model, 0 to 903. */
  speaker: number;
  /** 1 is the model's own pace, which is fast. */
  speed: number;
  /** Seed of the random numbers that vary the voice: equal seeds give equal sound for equal words. */
  seed: number;
}

/** Output of the model's first half for a text: numbers per frame, not yet sound. */
export interface Latent {
  /** CHANNELS rows of `frames` numbers. */
  values: Float32Array;
  frames: number;
}

/**
 * A voice in two halves: content and length are known first, and sound is then made in pieces of any size.
 */
export interface PiperModel {
  /** @param text one sentence or a part of one, in spoken form */
  latentOf(text: string): Promise<Latent>;
  /** The sound of frames `from` to `to` (exclusive): the same however the whole is divided. */
  soundOf(latent: Latent, from: number, to: number): Promise<Float32Array>;
}

export const FRAME_SAMPLES = 256;
/**
 * Frames on each side that affect a frame's sound. Error against synthesising the whole sentence at once: −3
 * to −42 dB with 10 frames, −66 with 20, less than −75 with 24, none with 30.
 */
const CONTEXT = 24;
const CHANNELS = 192;
/**
 * Where the model is cut (Kim et al. 2021, VITS): before it the text encoder, the durations and the resulting
 * latent; after it the flow and the decoder, which see a few frames on each side. The second tensor masks the
 * valid frames.
 */
const LATENT = '/Add_output_0';
const MASK = '/Cast_2_output_0';

/** The part of sherpa-onnx-node in use; it ships no types. */
interface SherpaOnnx {
  OfflineTts: {
    createAsync(config: {
      model: {
        vits: { model: string; tokens: string; dataDir: string };
        numThreads: number;
        provider: string;
      };
      maxNumSentences: number;
      silenceScale: number;
    }): Promise<OfflineTts>;
  };
}
interface OfflineTts {
  sampleRate: number;
  generateAsync(request: {
    text: string;
    sid: number;
    speed: number;
    enableExternalBuffer: boolean;
  }): Promise<{ samples: Float32Array; sampleRate: number }>;
}

/**
 * Measured on two busy cores: spinning threads take 60 % more processor time for the same speech, and a
 * memory plan for every length of sentence grows without end.
 */
const SESSION_SETTINGS = 'EnableMemPattern=0\nSessionConfig.session.intra_op.allow_spinning=0\n';
const sessionOptions = (threads: number): InferenceSession.SessionOptions => ({
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  enableMemPattern: false,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
});
/** Cutting takes a tenth of a second; allow for a busy disk. */
const CUT_HANG_MS = 60_000;
/**
 * eSpeak NG truncates longer paths (at 160 to 250 bytes, by platform), and sherpa-onnx then ends the whole
 * process.
 */
const MAX_ESPEAK_PATH = 150;
/**
 * More sentences than a text holds. Otherwise the binding makes a latent per sentence and joins them as if
 * they were sound.
 */
const ALL_AT_ONCE = 1_000;

/**
 * Loads the voice: eSpeak NG and the model's first half in sherpa-onnx, the second half in onnxruntime.
 * @param dir holds model.onnx, tokens.txt and espeak-ng-data
 * @throws EngineError, not retryable, if the files belong to another voice or their path is too long
 */
export async function loadPiper(dir: string, voice: PiperVoice, threads: number): Promise<PiperModel> {
  const root = shorter(dir, relative(process.cwd(), dir));
  const dataDir = join(root, 'espeak-ng-data');
  if (Buffer.byteLength(dataDir) > MAX_ESPEAK_PATH)
    throw new EngineError('The path of MODELS_DIR is too long for the voice; choose a shorter one.', {
      retryable: false,
    });
  const { encoder, decoder } = await loadHalves(root, dataDir, voice.seed, threads);
  const sid = new Tensor('int64', BigInt64Array.of(BigInt(voice.speaker)), [1]);

  return {
    async latentOf(text) {
      // The binding takes the latent for samples; these are all its numbers.
      const { samples: values } = await inNativeCode(() =>
        encoder.generateAsync({ text, sid: voice.speaker, speed: voice.speed, enableExternalBuffer: false }),
      );
      return { values, frames: values.length / CHANNELS };
    },

    async soundOf(latent, from, to) {
      const start = Math.max(0, from - CONTEXT);
      const end = Math.min(latent.frames, to + CONTEXT);
      const { output } = await inNativeCode(() =>
        decoder.run({
          [LATENT]: new Tensor('float32', framesOf(latent, start, end), [1, CHANNELS, end - start]),
          [MASK]: new Tensor('float32', new Float32Array(end - start).fill(1), [1, 1, end - start]),
          sid,
        }),
      );
      if (!(output?.data instanceof Float32Array)) throw new Error('The voice answered no sound.');
      return output.data.slice((from - start) * FRAME_SAMPLES, (to - start) * FRAME_SAMPLES);
    },
  };
}

async function loadHalves(root: string, dataDir: string, seed: number, threads: number) {
  // sherpa-onnx loads model and settings only from files, and reads them completely while loading.
  const scratch = await mkdtemp(join(tmpdir(), 'sigma-voice-'));
  try {
    const before = join(scratch, 'before.onnx');
    const after = join(scratch, 'after.onnx');
    const settings = join(scratch, 'session.conf');
    await cut(join(root, 'model.onnx'), before, after, seed);
    await writeFile(settings, SESSION_SETTINGS);
    const decoder = await inNativeCode(() => InferenceSession.create(after, sessionOptions(threads)));
    const { OfflineTts }: SherpaOnnx = createRequire(import.meta.url)('sherpa-onnx-node');
    const vits = { model: before, tokens: join(root, 'tokens.txt'), dataDir };
    const encoder = await inNativeCode(() =>
      OfflineTts.createAsync({
        model: { vits, numThreads: threads, provider: `cpu:${settings}` },
        maxNumSentences: ALL_AT_ONCE,
        silenceScale: 1,
      }),
    );
    if (encoder.sampleRate !== SAMPLE_RATE) throw ofAnotherVoice();
    return { encoder, decoder };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * In a thread of its own: cutting takes twice the model's size, and this thread's garbage might stay for
 * hours.
 */
async function cut(model: string, before: string, after: string, seed: number): Promise<void> {
  const thread = startWorkerThread<OnnxCutMethods>(import.meta.url, './onnx-cut.worker', {
    hangMs: CUT_HANG_MS,
  });
  try {
    if (!(await thread.call('cut', { model, tensors: [LATENT, MASK], before, after, seed })))
      throw ofAnotherVoice();
  } finally {
    await thread.finish();
  }
}

const ofAnotherVoice = () =>
  new EngineError('The files in MODELS_DIR are of another voice.', { retryable: false });

function framesOf({ values, frames }: Latent, from: number, to: number): Float32Array {
  const part = new Float32Array(CHANNELS * (to - from));
  for (let channel = 0; channel < CHANNELS; channel++)
    part.set(values.subarray(channel * frames + from, channel * frames + to), channel * (to - from));
  return part;
}

const shorter = (a: string, b: string) => (b !== '' && b.length < a.length ? b : a);

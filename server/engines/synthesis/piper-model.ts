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
  /** Of the dice that give it its life: the same makes the same sound of the same words. */
  seed: number;
}

/** What is to be said, as the model's first half makes it of a text: numbers per frame, not sound yet. */
export interface Latent {
  /** CHANNELS rows of `frames` numbers. */
  values: Float32Array;
  frames: number;
}

/** A voice in two halves: what and how long is known at once, and sound is made of it in any pieces. */
export interface PiperModel {
  /** @param text one sentence or part of one, as it is said */
  latentOf(text: string): Promise<Latent>;
  /** The sound of frames `from` up to, not with, `to`: the same, however the whole is divided. */
  soundOf(latent: Latent, from: number, to: number): Promise<Float32Array>;
}

/** Samples that a frame becomes. */
export const FRAME_SAMPLES = 256;
/**
 * Frames on either side that a frame's sound depends on. Measured against the whole sentence made at once: 10 frames leave
 * an error of −3 to −42 dB, 20 of −66, 24 of less than −75, 30 none.
 */
const CONTEXT = 24;
const CHANNELS = 192;
/**
 * Where the model is cut (Kim et al. 2021, VITS): text encoder, durations and the latent they give lie before it, the
 * flow and the decoder, which see a few frames to either side, after it. The second tensor says which frames count.
 */
const LATENT = '/Add_output_0';
const MASK = '/Cast_2_output_0';

/** The part of sherpa-onnx-node that is used; it ships no types. */
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
 * Measured on two busy cores: threads that spin while they wait take 60 % more processor time for the same speech, and the
 * memory plan kept for every length of sentence grows without end.
 */
const SESSION_SETTINGS = 'EnableMemPattern=0\nSessionConfig.session.intra_op.allow_spinning=0\n';
const sessionOptions = (threads: number): InferenceSession.SessionOptions => ({
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  enableMemPattern: false,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
});
/** Cutting takes a tenth of a second; a busy disk may be slow. */
const CUT_HANG_MS = 60_000;
/** eSpeak NG cuts longer paths off (at 160 to 250 bytes, by platform), and sherpa-onnx then ends the whole process. */
const MAX_ESPEAK_PATH = 150;
/** More than a text holds: the binding would make each sentence a latent of its own, and join them as if they were sound. */
const ALL_AT_ONCE = 1_000;

/**
 * Loads the voice: eSpeak NG and the model's first half in sherpa-onnx, the second half in onnxruntime.
 * @param dir holds model.onnx, tokens.txt and espeak-ng-data
 * @throws EngineError that cannot be retried where the files are of another voice or lie too deep
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
      // What the binding takes for samples is all that the model gave.
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
  // sherpa-onnx takes model and settings from files alone; all are read when they are loaded.
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

/** In a thread that ends with it: a model takes twice its size until this one's memory is tidied, which may take hours. */
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

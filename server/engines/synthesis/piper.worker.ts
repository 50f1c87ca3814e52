import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { joinSounds, type Sound } from '#server/audio/sound';
import { EngineError } from '#server/engines/engine-error';
import { inNativeCode } from '#server/pulse';
import { serveWorkerThread, Transfer } from '#server/worker-thread';
import { breaths } from './breaths.ts';
import type { SynthesisRequest } from './contract.ts';
import { lettersForEspeak } from './espeak-letters.ts';
import { finishSpeech, momentOfSilence, pauseAfter, SAMPLE_RATE } from './finish.ts';
import { spokenForm } from './spoken-language.ts';
import { type Place, UrgencyQueue } from './urgency-queue.ts';

export interface PiperVoice {
  /** Speaker of the model, 0 to 903. */
  speaker: number;
  /** 1 is the model's own pace, which is fast. */
  speed: number;
}

/** Methods of the thread that speaks. */
export type PiperMethods = {
  load: (options: { dir: string; voice: PiperVoice; threads: number }) => Promise<void>;
  speak: (
    request: Pick<SynthesisRequest, 'text' | 'urgency'> & {
      /** The sentence goes on after it. */
      goesOn: boolean;
      /** Names the request to `hurry`; null: its urgency stays. */
      ticket: number | null;
    },
    signal: AbortSignal,
  ) => Promise<Sound | Transfer<Sound>>;
  /** Somebody waits for what was asked for without urgency. */
  hurry: (request: { ticket: number }) => void;
};

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
/** eSpeak NG cuts longer paths off (at 160 to 250 bytes, by platform), and sherpa-onnx then ends the whole process. */
const MAX_ESPEAK_PATH = 150;
const WARM_UP = 'Thanks for calling, I can help you with your order today.';

interface Loaded {
  tts: OfflineTts;
  voice: PiperVoice;
}

let loaded: Loaded | null = null;
const queue = new UrgencyQueue();
/** Places of what is being spoken and may become urgent. */
const places = new Map<number, Place>();

const methods: PiperMethods = {
  async load({ dir, voice, threads }) {
    try {
      const tts = await loadModel(dir, threads);
      // The first sentence is slow; nobody should wait for it.
      await generate(tts, WARM_UP, voice);
      loaded = { tts, voice };
    } catch (error) {
      if (error instanceof EngineError) throw error;
      throw new EngineError('The voice could not be loaded and is tried again; text works meanwhile.', {
        retryable: true,
        cause: error,
      });
    }
  },

  async speak({ text, urgency, goesOn, ticket }, signal) {
    if (!loaded) throw new EngineError('The voice is still loading.', { retryable: true });
    const place: Place = { urgency, signal };
    if (ticket !== null) places.set(ticket, place);
    try {
      const sound = await spoken(loaded, text, goesOn, place);
      return new Transfer(sound, [sound.samples.buffer as ArrayBuffer]);
    } finally {
      if (ticket !== null) places.delete(ticket);
    }
  },

  hurry({ ticket }) {
    const place = places.get(ticket);
    if (place) place.urgency = 'first';
  },
};

async function spoken({ tts, voice }: Loaded, text: string, goesOn: boolean, place: Place): Promise<Sound> {
  const pieces: Sound[] = [];
  const parts = breaths(spokenForm(text));
  for (const [n, words] of parts.entries()) {
    const isEnd = !goesOn && n === parts.length - 1;
    const { samples } = await queue.run(place, () =>
      generate(tts, lettersForEspeak(isEnd ? words : keptOpen(words)), voice),
    );
    place.signal.throwIfAborted();
    pieces.push({ samples: finishSpeech(samples, pauseAfter(words)), sampleRate: SAMPLE_RATE });
  }
  return pieces.length > 0 ? joinSounds(pieces) : momentOfSilence();
}

async function loadModel(dir: string, threads: number): Promise<OfflineTts> {
  const { OfflineTts }: SherpaOnnx = createRequire(import.meta.url)('sherpa-onnx-node');
  const root = shorter(dir, relative(process.cwd(), dir));
  const dataDir = join(root, 'espeak-ng-data');
  if (Buffer.byteLength(dataDir) > MAX_ESPEAK_PATH)
    throw new EngineError('The path of MODELS_DIR is too long for the voice; choose a shorter one.', {
      retryable: false,
    });
  // The binding takes these settings from a file alone.
  const scratch = await mkdtemp(join(tmpdir(), 'sigma-voice-'));
  try {
    const settings = join(scratch, 'session.conf');
    await writeFile(settings, SESSION_SETTINGS);
    const tts = await inNativeCode(() =>
      OfflineTts.createAsync({
        model: {
          vits: { model: join(root, 'model.onnx'), tokens: join(root, 'tokens.txt'), dataDir },
          numThreads: threads,
          provider: `cpu:${settings}`,
        },
        maxNumSentences: 1,
      }),
    );
    if (tts.sampleRate !== SAMPLE_RATE)
      throw new EngineError('The files in MODELS_DIR are of another voice.', { retryable: false });
    return tts;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Without a mark the voice falls as at the end of a sentence; with a comma it says that more comes. Measured at places
 * without one, in semitones over the median of the sentence: whole −1.2, so divided 0.0 instead of −2.5.
 */
const keptOpen = (words: string) => (/[\p{L}\p{N}]$/u.test(words) ? `${words},` : words);

const shorter = (a: string, b: string) => (b !== '' && b.length < a.length ? b : a);

/** What the native library is at work on; it goes on with it when nobody waits any more. */
let speaking: Promise<unknown> = Promise.resolve();

function generate(tts: OfflineTts, text: string, voice: PiperVoice) {
  const speech = inNativeCode(() =>
    tts.generateAsync({ text, sid: voice.speaker, speed: voice.speed, enableExternalBuffer: false }),
  );
  speaking = Promise.allSettled([speaking, speech]);
  return speech;
}

serveWorkerThread(methods, { settled: () => speaking });

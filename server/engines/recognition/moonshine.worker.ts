import { createRequire } from 'node:module';
import { join } from 'node:path';
import { EngineError } from '#server/engines/engine-error';
import { loadSilero, type SileroFrames } from '#server/engines/silero-frames';
import { inNativeCode } from '#server/pulse';
import { serveWorkerThread } from '#server/worker-thread';
import type { RecognitionRequest } from './contract.ts';
import { HearingLine, type Place } from './hearing-line.ts';
import { FRAME, speechPieces } from './pieces.ts';
import { plausibleWords } from './plausible.ts';
import { MARGINS, madeAudible, withMargins } from './prepare.ts';
import { RecognizedPieces } from './recognized-pieces.ts';

/** Methods of the thread that recognizes. */
export type MoonshineMethods = {
  load: (options: { dir: string; lanes: number }) => Promise<void>;
  recognize: (
    request: Pick<RecognitionRequest, 'samples' | 'urgency'> & { caller: string },
    signal: AbortSignal,
  ) => Promise<string>;
};

/** The part of sherpa-onnx-node that is used; it ships no types. */
interface SherpaOnnx {
  OfflineRecognizer: {
    createAsync(config: {
      featConfig: { sampleRate: number; featureDim: number };
      modelConfig: {
        moonshine: { encoder: string; mergedDecoder: string };
        tokens: string;
        numThreads: number;
        provider: string;
      };
    }): Promise<OfflineRecognizer>;
  };
}
interface OfflineRecognizer {
  createStream(): Stream;
  decodeAsync(stream: Stream): Promise<{ text: string; tokens: readonly string[] }>;
}
interface Stream {
  acceptWaveform(sound: { samples: Float32Array; sampleRate: number }): void;
}

const SAMPLE_RATE = 16_000;
/** Lower than where speech is to be noticed: what is heard here was taken for speech already. */
const SPEECH_THRESHOLD = 0.35;
/** A single frame is a click. */
const ONSET_FRAMES = 2;
/** A second's worth; then other requests get their turn. */
const FRAMES_IN_A_ROW = 32;

/** Recordings longer than this, in samples (30 s), are searched beside the others, whom they would hold up. */
const LONG = 30 * SAMPLE_RATE;

/** Finds speech recording by recording, since its model keeps a state. */
interface Finder {
  frames: SileroFrames;
  last: Promise<unknown>;
}

interface Loaded {
  recognizer: OfflineRecognizer;
  finder: Finder;
  finderOfLong: Finder;
  line: HearingLine;
}

let loaded: Loaded | null = null;
const recognized = new RecognizedPieces();
/** What the native library is at work on; it goes on with it when nobody waits any more. */
let decoding: Promise<unknown> = Promise.resolve();

const methods: MoonshineMethods = {
  async load({ dir, lanes }) {
    const { OfflineRecognizer }: SherpaOnnx = createRequire(import.meta.url)('sherpa-onnx-node');
    const file = (name: string) => join(dir, 'moonshine', name);
    try {
      const recognizer = await inNativeCode(() =>
        OfflineRecognizer.createAsync({
          featConfig: { sampleRate: SAMPLE_RATE, featureDim: 80 },
          modelConfig: {
            moonshine: {
              encoder: file('encoder_model.onnx'),
              mergedDecoder: file('decoder_model_merged.onnx'),
            },
            tokens: file('tokens.txt'),
            // A second thread was measured to bring nothing for one recording; two recordings side by side bring much.
            numThreads: 1,
            provider: 'cpu',
          },
        }),
      );
      const silero = await loadSilero(join(dir, 'silero', 'silero_vad.onnx'));
      const finder = () => ({
        frames: silero({ threshold: SPEECH_THRESHOLD, onsetFrames: ONSET_FRAMES }),
        last: Promise.resolve(),
      });
      // The first recordings are slow; nobody should wait for them.
      const hum = Float32Array.from({ length: 4 * SAMPLE_RATE }, (_, index) => 0.1 * Math.sin(index * 0.05));
      await Promise.all(Array.from({ length: lanes }, () => decode(recognizer, hum)));
      loaded = { recognizer, finder: finder(), finderOfLong: finder(), line: new HearingLine({ lanes }) };
    } catch (error) {
      throw new EngineError('The ears could not be loaded and are tried again; typing works meanwhile.', {
        retryable: true,
        cause: error,
      });
    }
  },

  async recognize({ samples, urgency, caller }, signal) {
    if (!loaded) throw new EngineError('The ears are still loading.', { retryable: true });
    const { recognizer, finder, finderOfLong, line } = loaded;
    const sound = madeAudible(samples);
    const speech = await findSpeech(sound.length > LONG ? finderOfLong : finder, sound, signal);
    const words: string[] = [];
    for (const piece of speechPieces(sound, speech)) {
      const known = recognized.get(piece);
      words.push(known ?? (await hear(recognizer, line, piece, { urgency, caller, signal })));
    }
    return words.filter(Boolean).join(' ');
  },
};

async function hear(
  recognizer: OfflineRecognizer,
  line: HearingLine,
  piece: Float32Array,
  place: Place,
): Promise<string> {
  let words: string | null = null;
  for (const margin of MARGINS) {
    const { text, tokens } = await line.run(place, () => decode(recognizer, withMargins(piece, margin)));
    words = plausibleWords(text, tokens.length, piece.length / SAMPLE_RATE);
    if (words !== null) break;
  }
  recognized.set(piece, words ?? '');
  return words ?? '';
}

function decode(recognizer: OfflineRecognizer, samples: Float32Array) {
  const stream = recognizer.createStream();
  stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE });
  const result = inNativeCode(() => recognizer.decodeAsync(stream));
  decoding = Promise.allSettled([decoding, result]);
  return result;
}

function findSpeech(finder: Finder, samples: Float32Array, signal: AbortSignal): Promise<boolean[]> {
  const found = finder.last.then(async () => {
    finder.frames.reset();
    const speech: boolean[] = [];
    for (let at = 0; at + FRAME <= samples.length; at += FRAME) {
      if (speech.length > 0 && speech.length % FRAMES_IN_A_ROW === 0) {
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
      }
      speech.push(await finder.frames.accept(samples.slice(at, at + FRAME)));
    }
    return speech;
  });
  finder.last = found.catch(() => {});
  return found;
}

serveWorkerThread(methods, { settled: () => decoding });

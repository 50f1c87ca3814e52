import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface RecognizerStream {
  acceptWaveform(wave: { sampleRate: number; samples: Float32Array }): void;
}

/** The part of sherpa-onnx-node that is used; it ships no types. */
interface SherpaOnnx {
  OfflineRecognizer: {
    createAsync(config: object): Promise<{
      createStream(): RecognizerStream;
      decodeAsync(stream: RecognizerStream): Promise<{ text: string }>;
    }>;
  };
}

/** What a recording holds, measured. */
export interface Measured {
  seconds: number;
  /** Root mean square over the parts that are not silent, 0 to 1. */
  level: number;
  peak: number;
}

/** Measures mono samples (-1 to 1): how long it sounds from its first to its last audible moment, and how loud. */
export function measure(samples: Float32Array, sampleRate: number): Measured {
  const audible: number[] = [];
  let peak = 0;
  samples.forEach((sample, index) => {
    const loudness = Math.abs(sample);
    if (loudness > peak) peak = loudness;
    if (loudness > 0.005) audible.push(index);
  });
  const first = audible[0] ?? 0;
  const last = audible.at(-1) ?? 0;
  const energy = audible.reduce((sum, index) => sum + (samples[index] ?? 0) ** 2, 0);
  return {
    seconds: (last - first) / sampleRate,
    level: audible.length > 0 ? Math.sqrt(energy / audible.length) : 0,
    peak,
  };
}

/** Listens to a recording with the product's recognizer weights; null where they are not on this machine. */
export async function recognise(samples: Float32Array, sampleRate: number): Promise<string | null> {
  const dir = join(process.env.SIGMA_TEST_MODELS ?? 'models', 'moonshine');
  if (!existsSync(join(dir, 'encoder_model.onnx'))) return null;
  const { OfflineRecognizer }: SherpaOnnx = createRequire(import.meta.url)('sherpa-onnx-node');
  const recognizer = await OfflineRecognizer.createAsync({
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: {
      moonshine: {
        encoder: join(dir, 'encoder_model.onnx'),
        mergedDecoder: join(dir, 'decoder_model_merged.onnx'),
      },
      tokens: join(dir, 'tokens.txt'),
      numThreads: 1,
      provider: 'cpu',
    },
  });
  const stream = recognizer.createStream();
  stream.acceptWaveform({ sampleRate: 16_000, samples: resample(audiblePart(samples), sampleRate, 16_000) });
  const { text } = await recognizer.decodeAsync(stream);
  return text;
}

/** Without the silence around it, which can make the recognizer hear nothing at all. */
function audiblePart(samples: Float32Array): Float32Array {
  const isAudible = (sample: number) => Math.abs(sample) > 0.005;
  const first = samples.findIndex(isAudible);
  return first === -1 ? samples : samples.subarray(first, samples.findLastIndex(isAudible) + 1);
}

/** Linear interpolation: enough for telling words apart. */
function resample(samples: Float32Array, from: number, to: number): Float32Array {
  return Float32Array.from({ length: Math.floor((samples.length * to) / from) }, (_, index) => {
    const position = (index * from) / to;
    const before = Math.floor(position);
    const a = samples[before] ?? 0;
    const b = samples[before + 1] ?? a;
    return a + (b - a) * (position - before);
  });
}

import { join } from 'node:path';
import { loadSilero } from '#server/engines/silero-frames';
import { EngineError } from '#server/lib/engine-error';
import { serveWorkerThread } from '#server/threads/worker-thread';
import type { RecognitionRequest } from './contract.ts';
import { HearingLine, type Place } from './hearing-line.ts';
import { loadMoonshine, type MoonshineModel } from './moonshine-model.ts';
import { speechPieces } from './pieces.ts';
import { plausibleWords, tooManyTokens } from './plausible.ts';
import { MARGINS, madeAudible, withMargins } from './prepare.ts';
import { RecognizedPieces } from './recognized-pieces.ts';
import { SpeechFinder } from './speech-finder.ts';

export type MoonshineMethods = {
  load: (options: { dir: string }) => Promise<void>;
  recognize: (
    request: Pick<RecognitionRequest, 'samples' | 'urgency'> & { caller: string },
    signal: AbortSignal,
  ) => Promise<string>;
};

const SAMPLE_RATE = 16_000;
/** Lower than the threshold that notices speech: the sound here was already taken for speech. */
const SPEECH_THRESHOLD = 0.35;
/** Speech lasts at least two frames; a single one is a click. */
const ONSET_FRAMES = 2;

interface Loaded {
  model: MoonshineModel;
  finder: SpeechFinder;
}

let loaded: Loaded | null = null;
const line = new HearingLine();
const recognized = new RecognizedPieces();

const methods: MoonshineMethods = {
  async load({ dir }) {
    try {
      const model = await loadMoonshine(join(dir, 'moonshine'));
      const silero = await loadSilero(join(dir, 'silero', 'silero_vad.onnx'));
      const finder = new SpeechFinder(() =>
        silero({ threshold: SPEECH_THRESHOLD, onsetFrames: ONSET_FRAMES }),
      );
      // The first recording is slow, so warm up before a customer waits.
      const hum = Float32Array.from({ length: 4 * SAMPLE_RATE }, (_, index) => 0.1 * Math.sin(index * 0.05));
      const warmUp = { draft: () => [], signal: new AbortController().signal };
      for await (const _token of model.transcribe(hum, warmUp)) break;
      loaded = { model, finder };
    } catch (error) {
      throw new EngineError('The ears could not be loaded and are tried again; typing works meanwhile.', {
        retryable: true,
        cause: error,
      });
    }
  },

  async recognize({ samples, urgency, caller }, signal) {
    if (!loaded) throw new EngineError('The ears are still loading.', { retryable: true });
    const { model, finder } = loaded;
    const sound = madeAudible(samples);
    const speech = await finder.find(sound, caller, signal);
    const words: string[] = [];
    for (const piece of speechPieces(sound, speech))
      words.push(recognized.get(piece) ?? (await hear(model, piece, { urgency, caller, signal })));
    return words.filter(Boolean).join(' ');
  },
};

async function hear(model: MoonshineModel, piece: Float32Array, place: Place): Promise<string> {
  const seconds = piece.length / SAMPLE_RATE;
  let words: string | null = null;
  for (const [attempt, margin] of MARGINS.entries()) {
    const isFirst = attempt === 0;
    const said: number[] = [];
    const listen = async (signal: AbortSignal) => {
      // A repetitive result must not be the draft of the next try.
      const draft = () => (isFirst ? recognized.draftOf(piece) : []);
      for await (const token of model.transcribe(withMargins(piece, margin), { draft, signal }))
        if (said.push(token) >= tooManyTokens(seconds)) break;
    };
    try {
      await line.run(place, listen);
    } finally {
      // The beginning of an aborted piece is still a useful draft.
      if (isFirst && said.length > 0) recognized.keepDraft(piece, said);
    }
    words = plausibleWords(model.textOf(said), said.length, seconds);
    if (words !== null) break;
  }
  recognized.set(piece, words ?? '');
  return words ?? '';
}

serveWorkerThread(methods);

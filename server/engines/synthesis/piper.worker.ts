import { joinSounds, type Sound } from '#server/audio/sound';
import { EngineError } from '#server/lib/engine-error';
import { serveWorkerThread, Transfer } from '#server/threads/worker-thread';
import { breaths } from './breaths.ts';
import type { SynthesisRequest } from './contract.ts';
import { lettersForEspeak } from './espeak-letters.ts';
import {
  finishSpeech,
  loudnessOf,
  momentOfSilence,
  pauseAfter,
  SAMPLE_RATE,
  SpeechFinish,
} from './finish.ts';
import { FRAME_SAMPLES, type Latent, loadPiper, type PiperModel, type PiperVoice } from './piper-model.ts';
import { spokenForm } from './spoken-language.ts';
import { type Place, UrgencyQueue } from './urgency-queue.ts';
import type { SpokenPiece } from './wording.ts';

export interface SpeakRequest extends Pick<SynthesisRequest, 'text' | 'urgency'> {
  /** Identifies the text in the other methods. */
  ticket: number;
  /** Delivered in pieces, the first as soon as possible; otherwise at once. */
  inPieces: boolean;
}

export type PiperMethods = {
  load: (options: { dir: string; voice: PiperVoice; threads: number }) => Promise<void>;
  /** Begins a text. @returns its first piece */
  speak: (request: SpeakRequest, signal: AbortSignal) => Promise<Transfer<SpokenPiece>>;
  /** @returns the next piece of a text that is not finished */
  goOn: (request: { ticket: number }, signal: AbortSignal) => Promise<Transfer<SpokenPiece>>;
  /** A customer now waits for a request that was not urgent. */
  hurry: (request: { ticket: number }) => void;
  /** The rest is not needed. */
  hush: (request: { ticket: number }) => void;
};

const WARM_UP = 'Thanks for calling, I can help you with your order today.';

const framesIn = (ms: number) => Math.ceil((ms * SAMPLE_RATE) / (1_000 * FRAME_SAMPLES));
/**
 * Speech is made in blocks: a short one for the first words, and at most a few seconds each, which bounds
 * memory and other requests' waiting time. Each block computes frames of its neighbours again, so blocks are
 * few, and none is shorter than the minimum.
 */
const MAX_BLOCK_FRAMES = framesIn(3_000);
const BLOCK_FRAMES = [framesIn(600), framesIn(2_000), MAX_BLOCK_FRAMES] as const;
const MIN_BLOCK_FRAMES = framesIn(500);
/** Urgency ends once this much sound is ready to play. */
const URGENT_SECONDS = 1.2;

interface Loaded {
  model: PiperModel;
  /** Loudness of the voice, in dB. */
  usualDb: number | null;
}

/** A text that is being spoken. */
interface Speech {
  place: Place;
  pieces: AsyncGenerator<SpokenPiece>;
}

let loaded: Loaded | null = null;
const queue = new UrgencyQueue();
const speeches = new Map<number, Speech>();

const methods: PiperMethods = {
  async load({ dir, voice, threads }) {
    try {
      const model = await loadPiper(dir, voice, threads);
      // The first sentence is slow, so warm up before a customer waits.
      const latent = await model.latentOf(WARM_UP);
      loaded = { model, usualDb: loudnessOf(await model.soundOf(latent, 0, latent.frames)) };
    } catch (error) {
      if (error instanceof EngineError) throw error;
      throw new EngineError('The voice could not be loaded and is tried again; text works meanwhile.', {
        retryable: true,
        cause: error,
      });
    }
  },

  async speak({ ticket, urgency, ...request }, signal) {
    if (!loaded) throw new EngineError('The voice is still loading.', { retryable: true });
    const place: Place = { urgency, signal };
    speeches.set(ticket, { place, pieces: spoken(loaded, request, place) });
    return nextOf(ticket);
  },

  async goOn({ ticket }, signal) {
    const speech = speeches.get(ticket);
    if (speech) speech.place.signal = signal;
    return nextOf(ticket);
  },

  hurry({ ticket }) {
    const speech = speeches.get(ticket);
    if (speech) speech.place.urgency = 'first';
  },

  hush({ ticket }) {
    speeches.delete(ticket);
  },
};

async function nextOf(ticket: number): Promise<Transfer<SpokenPiece>> {
  let isOver = true;
  try {
    const step = await speeches.get(ticket)?.pieces.next();
    if (!step || step.done) throw new Error('Nothing is left to be said.');
    isOver = step.value.said === 1;
    return new Transfer(step.value, [step.value.samples.buffer as ArrayBuffer]);
  } finally {
    if (isOver) speeches.delete(ticket);
  }
}

async function* spoken(
  voice: Loaded,
  { text, inPieces }: Pick<SpeakRequest, 'text' | 'inPieces'>,
  place: Place,
): AsyncGenerator<SpokenPiece> {
  const parts = breaths(spokenForm(text));
  const letters = parts.reduce((sum, part) => sum + part.length, 0);
  const whole: Sound[] = [];
  let before = 0;
  let seconds = 0;
  for (const [n, words] of parts.entries()) {
    const isLast = n === parts.length - 1;
    const said = lettersForEspeak(isLast ? words : keptOpen(words));
    const pieces = inPieces
      ? breathInPieces(voice, said, pauseAfter(words), place)
      : breathAtOnce(voice, said, pauseAfter(words), place);
    for await (const { samples, share } of pieces) {
      const sound = { samples, sampleRate: SAMPLE_RATE };
      if (!inPieces) {
        whole.push(sound);
        continue;
      }
      seconds += samples.length / SAMPLE_RATE;
      if (seconds > URGENT_SECONDS) place.urgency = 'later';
      yield { ...sound, said: isLast && share === 1 ? 1 : (before + share * words.length) / letters };
    }
    before += words.length;
  }
  if (parts.length === 0) yield { ...momentOfSilence(), said: 1 };
  else if (!inPieces) yield { ...joinSounds(whole), said: 1 };
}

interface PieceOfBreath {
  samples: Float32Array;
  /** Share of the breath that has been said at its end. */
  share: number;
}

/** Makes one breath and yields each block as soon as it is ready, up to a quiet moment. */
async function* breathInPieces(
  { model, usualDb }: Loaded,
  words: string,
  pauseMs: number,
  place: Place,
): AsyncGenerator<PieceOfBreath> {
  const finish = new SpeechFinish(usualDb);
  for await (const { latent, to, samples } of blocks(model, words, place, BLOCK_FRAMES)) {
    finish.add(samples);
    const isEnd = to === latent.frames;
    const piece = isEnd ? finish.end(pauseMs) : finish.upToQuiet();
    const share = isEnd ? 1 : finish.givenOut / (latent.frames * FRAME_SAMPLES);
    if (piece.length > 0) yield { samples: piece, share };
  }
}

async function* breathAtOnce(
  { model }: Loaded,
  words: string,
  pauseMs: number,
  place: Place,
): AsyncGenerator<PieceOfBreath> {
  const parts: Sound[] = [];
  for await (const { samples } of blocks(model, words, place, [MAX_BLOCK_FRAMES]))
    parts.push({ samples, sampleRate: SAMPLE_RATE });
  yield { samples: finishSpeech(joinSounds(parts).samples, pauseMs), share: 1 };
}

interface Block {
  latent: Latent;
  /** Exclusive. */
  to: number;
  samples: Float32Array;
}

/** Raw sound, block by block; each queues for its turn, the first together with the latent. */
async function* blocks(
  model: PiperModel,
  words: string,
  place: Place,
  sizes: readonly [number, ...number[]],
): AsyncGenerator<Block> {
  const blockOf = async (latent: Latent, from: number, size: number): Promise<Block> => {
    const to = latent.frames - from - size < MIN_BLOCK_FRAMES ? latent.frames : from + size;
    return { latent, to, samples: await model.soundOf(latent, from, to) };
  };
  let block = await queue.run(place, async () => blockOf(await model.latentOf(words), 0, sizes[0]));
  for (let n = 1; ; n++) {
    place.signal.throwIfAborted();
    yield block;
    const { latent, to } = block;
    if (to === latent.frames) return;
    const size = sizes[n] ?? sizes.at(-1) ?? sizes[0];
    block = await queue.run(place, () => blockOf(latent, to, size));
  }
}

/**
 * Without a mark the voice falls as at the end of a sentence; a comma keeps it open. Measured at places
 * without a mark, in semitones relative to the sentence's median: −1.2 undivided, 0.0 divided with the comma,
 * −2.5 without.
 */
const keptOpen = (words: string) => (/[\p{L}\p{N}]$/u.test(words) ? `${words},` : words);

serveWorkerThread(methods);

import { Resampler } from '#server/audio/resampler';
import { WavError, WavReader } from '#server/audio/wav';
import { EngineError } from '#server/lib/engine-error';
import { serveWorkerThread, Transfer } from '#server/threads/worker-thread';
import { pauseAfter, SAMPLE_RATE, SpeechFinish } from './finish.ts';
import type { SpokenPiece } from './wording.ts';

/** A phrase whose sound comes from a server. */
interface HeardPhrase {
  /** Identifies the phrase in all methods. */
  ticket: number;
  text: string;
  /** Given out while it arrives; otherwise at once. */
  inPieces: boolean;
}

/** Methods of the thread that makes a server's speech sound like the embedded voice. */
export type OpenAiSpeechMethods = {
  /** Adds a part of a phrase's WAV. @returns newly playable sound, if any */
  add: (request: HeardPhrase & { wav: Uint8Array }) => Transfer<SpokenPiece> | null;
  /** The WAV is complete. @returns the rest, and the pause after it */
  end: (request: HeardPhrase) => Transfer<SpokenPiece>;
  /** The rest is not needed. */
  hush: (request: Pick<HeardPhrase, 'ticket'>) => void;
};

/** Smallest part to give out: the first must bridge the wait for the next. */
const samplesIn = (ms: number) => (ms * SAMPLE_RATE) / 1_000;
const FIRST_SAMPLES = samplesIn(300);
const NEXT_SAMPLES = samplesIn(800);
/** The phrase's length is unknown until it is complete, so never report it as fully said before. */
const MOST_SAID = 0.95;
/** Weight of the newest phrase in the voice's averages. */
const NEWEST = 0.2;

interface Phrase {
  wav: WavReader;
  resampler: Resampler | null;
  finish: SpeechFinish;
  came: number;
}

/**
 * The voice's averages, learnt from phrases that arrived whole: the very first phrase is not given out in
 * pieces.
 */
let usual: { loudnessDb: number; samplesForLetter: number } | null = null;
const phrases = new Map<number, Phrase>();

const methods: OpenAiSpeechMethods = {
  add({ ticket, text, inPieces, wav }) {
    return reading(ticket, (phrase) => {
      take(phrase, phrase.wav.push(wav));
      const { finish, came } = phrase;
      const enough = finish.givenOut === 0 ? FIRST_SAMPLES : NEXT_SAMPLES;
      if (!inPieces || !usual || came - finish.givenOut < enough) return null;
      const samples = finish.upToQuiet();
      if (samples.length === 0) return null;
      const said = Math.min(MOST_SAID, finish.givenOut / (usual.samplesForLetter * text.length));
      return piece(samples, said);
    });
  },

  end({ ticket, text }) {
    return reading(ticket, (phrase) => {
      phrases.delete(ticket);
      phrase.wav.end();
      if (phrase.resampler) add(phrase, phrase.resampler.flush());
      const samples = phrase.finish.end(pauseAfter(text));
      learn(phrase, text.length);
      return piece(samples, 1);
    });
  },

  hush({ ticket }) {
    phrases.delete(ticket);
  },
};

/** Runs with the phrase of a ticket, created with its first part. An error ends the phrase. */
function reading<T>(ticket: number, run: (phrase: Phrase) => T): T {
  const phrase = phrases.get(ticket) ?? {
    wav: new WavReader(),
    resampler: null,
    finish: new SpeechFinish(usual?.loudnessDb ?? null),
    came: 0,
  };
  phrases.set(ticket, phrase);
  try {
    return run(phrase);
  } catch (cause) {
    phrases.delete(ticket);
    if (!(cause instanceof WavError || cause instanceof RangeError)) throw cause;
    throw new EngineError('The voice sent sound that cannot be read.', { retryable: true, cause });
  }
}

function take(phrase: Phrase, samples: Float32Array): void {
  const { sampleRate } = phrase.wav;
  if (sampleRate === null) return;
  phrase.resampler ??= new Resampler(sampleRate, SAMPLE_RATE);
  add(phrase, phrase.resampler.push(samples));
}

function add(phrase: Phrase, samples: Float32Array): void {
  phrase.came += samples.length;
  phrase.finish.add(samples);
}

function learn({ finish, came }: Phrase, letters: number): void {
  const { loudnessDb } = finish;
  if (loudnessDb === null) return;
  const samplesForLetter = came / letters;
  usual ??= { loudnessDb, samplesForLetter };
  usual.loudnessDb += NEWEST * (loudnessDb - usual.loudnessDb);
  usual.samplesForLetter += NEWEST * (samplesForLetter - usual.samplesForLetter);
}

const piece = (samples: Float32Array, said: number) =>
  new Transfer({ samples, sampleRate: SAMPLE_RATE, said }, [samples.buffer as ArrayBuffer]);

serveWorkerThread(methods);

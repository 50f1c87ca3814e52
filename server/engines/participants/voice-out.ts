/** Rate of the voice in a room, in Hz: holds the band of speech and gives frames of whole samples. */
export const SPEECH_RATE = 24_000;

/** Plays samples in real time, from a short queue. */
export interface VoiceSink {
  /** Resolves when the queue has room for more. Rejects once closed. */
  play(samples: Int16Array): Promise<void>;
  /** Queued sound that has not been played, in milliseconds. */
  readonly queuedMs: number;
  clear(): void;
}

interface VoiceOutListener {
  began(speechId: string): void;
  /** @param playedMs playout position of this speech, in milliseconds */
  played(speechId: string, playedMs: number): void;
  ended(speechId: string, playedMs: number): void;
}

interface SpokenPiece {
  samples: Int16Array;
  /** Offset in its speech, in samples. */
  start: number;
}

interface SpeechOut {
  id: string;
  pieces: SpokenPiece[];
  /** Samples received, and samples handed to the sink. */
  length: number;
  position: number;
  isFinished: boolean;
  hasBegun: boolean;
}

const FRAME_MS = 20;
const FRAME = (SPEECH_RATE * FRAME_MS) / 1_000;
const FADE = (SPEECH_RATE * 10) / 1_000;
const PROGRESS_MS = 100;

/** Plays speeches one after the other; pauses and resumes to the sample, and reports the playout position. */
export class VoiceOut {
  readonly #sink: VoiceSink;
  readonly #listener: VoiceOutListener;
  #speeches: SpeechOut[] = [];
  #isHeld = false;
  #isPumping = false;
  #fadeIn = false;
  /** Incremented when queued sound is taken back, so that a loop waiting for the sink starts anew. */
  #epoch = 0;
  #progress: NodeJS.Timeout | undefined;
  #drain: NodeJS.Timeout | undefined;

  constructor(sink: VoiceSink, listener: VoiceOutListener) {
    this.#sink = sink;
    this.#listener = listener;
  }

  say(speechId: string, samples: Int16Array): void {
    const speech = this.#speechOf(speechId);
    if (samples.length > 0) speech.pieces.push({ samples, start: speech.length });
    speech.length += samples.length;
    this.#pump();
  }

  finish(speechId: string): void {
    this.#speechOf(speechId).isFinished = true;
    this.#pump();
  }

  hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#takeBack();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#fadeIn = true;
    this.#pump();
  }

  /** @returns its playout position in milliseconds */
  stop(speechId: string): number {
    const speech = this.#speeches.find(({ id }) => id === speechId);
    if (!speech) return 0;
    if (speech === this.#speeches[0] && !this.#isHeld) this.#takeBack();
    this.#speeches = this.#speeches.filter((other) => other !== speech);
    this.#pump();
    return toMs(speech.position);
  }

  close(): void {
    this.#epoch++;
    this.#speeches = [];
    this.#stopTimers();
  }

  #speechOf(id: string): SpeechOut {
    const known = this.#speeches.find((speech) => speech.id === id);
    if (known) return known;
    const speech = { id, pieces: [], length: 0, position: 0, isFinished: false, hasBegun: false };
    this.#speeches.push(speech);
    return speech;
  }

  /** Fills the sink's queue until it is full, the sound is taken back, or there is no more. */
  #pump(): void {
    if (this.#isPumping || this.#isHeld) return;
    const [speech] = this.#speeches;
    if (!speech) return;
    if (speech.position < speech.length) void this.#play(speech);
    else if (speech.isFinished) this.#awaitEnd(speech);
  }

  async #play(speech: SpeechOut): Promise<void> {
    const epoch = this.#epoch;
    this.#isPumping = true;
    clearTimeout(this.#drain);
    if (!speech.hasBegun) {
      speech.hasBegun = true;
      this.#listener.began(speech.id);
    }
    this.#progress ??= setInterval(() => this.#tellProgress(), PROGRESS_MS);
    try {
      while (epoch === this.#epoch && speech.position < speech.length) {
        const frame = this.#frameAt(speech, speech.position, FRAME);
        if (this.#fadeIn) fade(frame, 'in');
        this.#fadeIn = false;
        speech.position = Math.min(speech.length, speech.position + FRAME);
        await this.#sink.play(frame);
      }
    } catch {
      // The sink is closed because the room is lost; `ended` reports that.
      this.close();
    } finally {
      this.#isPumping = false;
    }
    this.#pump();
  }

  #awaitEnd(speech: SpeechOut): void {
    clearTimeout(this.#drain);
    this.#drain = setTimeout(() => {
      this.#speeches = this.#speeches.filter((other) => other !== speech);
      if (this.#speeches.length === 0) this.#stopTimers();
      this.#listener.ended(speech.id, toMs(speech.length));
      this.#pump();
    }, this.#sink.queuedMs);
  }

  /** Drops queued sound: the position goes back to what was played, with a fade-out against clicks. */
  #takeBack(): void {
    const [speech] = this.#speeches;
    this.#epoch++;
    clearTimeout(this.#drain);
    if (!speech?.hasBegun) return;
    const queued = Math.round((this.#sink.queuedMs * SPEECH_RATE) / 1_000);
    speech.position = Math.max(0, speech.position - queued);
    this.#sink.clear();
    const tail = this.#frameAt(speech, speech.position, FADE);
    fade(tail, 'out');
    void this.#sink.play(tail).catch(() => {});
    this.#tellProgress();
  }

  #tellProgress(): void {
    const [speech] = this.#speeches;
    if (!speech?.hasBegun) return;
    const ahead = this.#isHeld ? 0 : this.#sink.queuedMs;
    this.#listener.played(speech.id, Math.max(0, Math.round(toMs(speech.position) - ahead)));
  }

  /** Samples of a speech, padded with silence after its end. */
  #frameAt(speech: SpeechOut, from: number, length: number): Int16Array {
    const frame = new Int16Array(length);
    for (const { samples, start } of speech.pieces) {
      const begin = Math.max(from, start);
      const end = Math.min(from + length, start + samples.length);
      if (begin < end) frame.set(samples.subarray(begin - start, end - start), begin - from);
    }
    return frame;
  }

  #stopTimers(): void {
    clearInterval(this.#progress);
    clearTimeout(this.#drain);
    this.#progress = undefined;
  }
}

const toMs = (samples: number) => Math.round((samples * 1_000) / SPEECH_RATE);

function fade(frame: Int16Array, way: 'in' | 'out'): void {
  const length = Math.min(FADE, frame.length);
  for (let index = 0; index < length; index++) {
    const share = way === 'in' ? index / length : 1 - index / length;
    frame[index] = Math.round((frame[index] ?? 0) * share);
  }
}

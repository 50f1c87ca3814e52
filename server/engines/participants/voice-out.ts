/** Rate of the voice on its way into a room, in Hz: what speech holds, in frames of whole samples. */
export const SPEECH_RATE = 24_000;

/** Where a voice goes to: plays what it is given in real time, out of a short queue. */
export interface VoiceSink {
  /** Resolves when there is room for more. Rejects once it is closed. */
  play(samples: Int16Array): Promise<void>;
  /** Milliseconds of sound that are queued and not yet played. */
  readonly queuedMs: number;
  clear(): void;
}

interface VoiceOutListener {
  began(speechId: string): void;
  /** @param playedMs milliseconds of this speech that have left */
  played(speechId: string, playedMs: number): void;
  ended(speechId: string, playedMs: number): void;
}

interface SpokenPiece {
  samples: Int16Array;
  /** Where it begins in its speech, in samples. */
  start: number;
}

interface SpeechOut {
  id: string;
  pieces: SpokenPiece[];
  /** Samples that are there, and those that were handed to the sink. */
  length: number;
  position: number;
  isFinished: boolean;
  hasBegun: boolean;
}

const FRAME_MS = 20;
const FRAME = (SPEECH_RATE * FRAME_MS) / 1_000;
const FADE = (SPEECH_RATE * 10) / 1_000;
const PROGRESS_MS = 100;

/** Says speeches one after the other into a sink; can pause to the sample, go on there, and tell what was played. */
export class VoiceOut {
  readonly #sink: VoiceSink;
  readonly #listener: VoiceOutListener;
  #speeches: SpeechOut[] = [];
  #isHeld = false;
  #isPumping = false;
  #fadeIn = false;
  /** Raised whenever what was handed over is taken back: whoever waited for the sink begins anew. */
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

  /** @returns milliseconds of it that were played */
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

  /** Hands over what may be played until the queue is full, somebody takes it back, or there is no more. */
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
      // The sink is closed: the room is lost, and whoever is in it is told by other ways.
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

  /** What is queued is not played: the position goes back to what was, and the sound ends without a click. */
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

  /** Samples of a speech, with silence behind its end. */
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

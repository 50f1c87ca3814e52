import { toPcm16 } from '#server/audio/pcm16';
import { roomTone } from '../speech/sounds.ts';
import { CLIP_RATE } from '../speech/speech-set.ts';

/** Length of sound per packet of a page, ms. */
const CHUNK_MS = 48;
const CHUNK_SAMPLES = (CHUNK_MS * CLIP_RATE) / 1000;

/** A microphone in a quiet room, in real time: a piece of sound is sent when it has been recorded, not before. */
export class Microphone {
  readonly #send: (pcm: Uint8Array) => void;
  readonly #room = roomTone(10_000, 1);
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #recorded = 0;
  #speech: { samples: Float32Array; from: number } | null = null;

  constructor(send: (pcm: Uint8Array) => void) {
    this.#send = send;
    this.#timer = setInterval(() => this.#catchUp(), 5);
  }

  /**
   * A person begins to speak now.
   * @param endMs the true end within the sound
   * @returns when they will have ended, on the clock of performance.now()
   */
  say(samples: Float32Array, endMs: number): number {
    const from = this.#recorded;
    this.#speech = { samples, from };
    return this.#startedAt + (from * 1000) / CLIP_RATE + endMs;
  }

  off(): void {
    clearInterval(this.#timer);
  }

  #catchUp(): void {
    const now = performance.now() - this.#startedAt;
    while (((this.#recorded + CHUNK_SAMPLES) * 1000) / CLIP_RATE <= now) {
      const chunk = new Float32Array(CHUNK_SAMPLES);
      for (let n = 0; n < chunk.length; n++) {
        const at = this.#recorded + n;
        const speech = this.#speech ? (this.#speech.samples[at - this.#speech.from] ?? 0) : 0;
        chunk[n] = speech + (this.#room[at % this.#room.length] ?? 0);
      }
      this.#recorded += CHUNK_SAMPLES;
      this.#send(toPcm16(chunk));
    }
  }
}

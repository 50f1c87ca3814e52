import { nack } from '#server/engines/rooms/embedded/media/rtcp';

/** A lost packet is requested at once and then at this interval (ms), as long as it can still be played. */
const RETRY_MS = 60;
const limits = {
  audio: { tries: 3, ageMs: 250 },
  video: { tries: 6, ageMs: 800 },
};
/** More missing packets at once mean a broken network; requests would make it worse. */
const MAX_MISSING = 200;

/** Requests lost packets from a publisher (RFC 4585, generic NACK). */
export class Repair {
  readonly #missing = new Map<number, { tries: number; since: number }>();
  readonly #limits: { tries: number; ageMs: number };
  readonly #send: (packet: Buffer) => void;
  readonly #ssrcs: () => { own: number; media: number };
  #timer: NodeJS.Timeout | null = null;

  constructor(
    kind: 'audio' | 'video',
    ssrcs: () => { own: number; media: number },
    send: (packet: Buffer) => void,
  ) {
    this.#limits = limits[kind];
    this.#ssrcs = ssrcs;
    this.#send = send;
  }

  add(sequences: readonly number[], now: number): void {
    if (sequences.length === 0) return;
    if (this.#missing.size + sequences.length > MAX_MISSING) this.#missing.clear();
    for (const sequence of sequences) this.#missing.set(sequence, { tries: 0, since: now });
    this.#ask(now);
  }

  arrived(sequence: number): void {
    if (this.#missing.size > 0) this.#missing.delete(sequence);
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#missing.clear();
  }

  #ask(now: number): void {
    const { tries, ageMs } = this.#limits;
    const due: number[] = [];
    for (const [sequence, state] of this.#missing) {
      if (state.tries >= tries || now - state.since > ageMs) this.#missing.delete(sequence);
      else {
        state.tries++;
        due.push(sequence);
      }
    }
    if (due.length > 0) {
      const { own, media } = this.#ssrcs();
      this.#send(nack(own, media, due));
    }
    this.#timer ??=
      this.#missing.size > 0
        ? setTimeout(() => {
            this.#timer = null;
            this.#ask(performance.now());
          }, RETRY_MS)
        : null;
  }
}

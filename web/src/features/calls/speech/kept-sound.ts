import type { Samples } from './samples.ts';

/** A backlog is sent in pieces of at most this length. */
const PIECE_SECONDS = 0.96;
/** Hands-free keeps this much sound, to send it again after a lost channel. */
const KEPT_SECONDS = 30;
/** Hands-free keeps this much sound from before speech was detected: sound in transit, and the detection's delay. */
const LEAD_SECONDS = 3.5;

/**
 * The sound of one stream until it need not be sent again: all of a push to talk; of hands-free only the current
 * utterance and the moments before, so that an hour takes no more memory than half a minute.
 */
export class KeptSound {
  readonly #sampleRate: number;
  readonly #keepsAll: boolean;
  #chunks: Samples[];
  /** Number of chunks sent. */
  #sent = 0;
  /** The start of the current utterance; null during silence. */
  #utteranceFrom: number | null = null;
  /** The start of sound that has not become a message yet. */
  #newFrom = 0;
  /** The ends of utterances that were completely understood and are not known to be stored, oldest first. */
  #wholeTo: number[] = [];
  /** Speech has continued since the last of them. */
  #goesOn = false;

  /**
   * @param sampleRate Hz
   * @param backlog sound recorded already
   */
  constructor(sampleRate: number, keepsAll: boolean, backlog: readonly Samples[]) {
    this.#sampleRate = sampleRate;
    this.#keepsAll = keepsAll;
    this.#chunks = [...backlog];
  }

  get isAllSent(): boolean {
    return this.#sent === this.#chunks.length;
  }

  push(samples: Samples): void {
    this.#chunks.push(samples);
  }

  /** The next piece to send; empty if there is none. */
  next(): Samples {
    const count = Math.max(1, this.#chunksIn(PIECE_SECONDS));
    const piece = this.#chunks.slice(this.#sent, this.#sent + count);
    this.#sent += piece.length;
    const [first] = piece;
    return piece.length === 1 && first ? first : join(piece);
  }

  /** Speech has begun: keeps all sound from now on until it is understood. */
  speechBegan(): void {
    this.#utteranceFrom ??= this.#recently();
    this.#goesOn = true;
  }

  /** All sound sent so far was understood: once stored, it need not be sent again. */
  understoodWhole(): void {
    this.#utteranceFrom ??= this.#recently();
    this.#wholeTo.push(this.#sent);
    this.#goesOn = false;
  }

  /** The oldest understood utterance is a message, or was refused; without one, this covers all sound sent so far. */
  understood(): void {
    const end = this.#wholeTo.shift();
    this.#newFrom = end ?? this.#sent;
    const isMoreKept = end !== undefined && (this.#wholeTo.length > 0 || this.#goesOn);
    this.#utteranceFrom = isMoreKept ? end : null;
  }

  /** The sound since the last understood utterance held no speech. */
  wasNothing(): void {
    if (this.#wholeTo.length === 0) this.understood();
    this.#goesOn = false;
  }

  /** Marks all kept sound to be sent again. */
  rewind(): void {
    this.#wholeTo = [];
    this.forget();
    this.#sent = 0;
  }

  /**
   * Drops sound that need not be sent again.
   * @returns whether sound that was never sent had to be dropped, too
   */
  forget(): boolean {
    if (this.#keepsAll) return false;
    this.#shift(this.#utteranceFrom ?? this.#recently());
    const tooMany = this.#chunks.length - this.#chunksIn(KEPT_SECONDS);
    const isLoss = tooMany > this.#sent;
    this.#shift(tooMany);
    return isLoss;
  }

  /** The start of sound that may hold the undetected beginning of speech. */
  #recently(): number {
    return Math.max(this.#newFrom, this.#sent - this.#chunksIn(LEAD_SECONDS));
  }

  #shift(count: number): void {
    if (count <= 0) return;
    this.#chunks.splice(0, count);
    const moved = (position: number) => Math.max(0, position - count);
    this.#sent = moved(this.#sent);
    this.#newFrom = moved(this.#newFrom);
    this.#wholeTo = this.#wholeTo.map(moved);
    if (this.#utteranceFrom !== null) this.#utteranceFrom = moved(this.#utteranceFrom);
  }

  /** The number of chunks of the present length in this time. */
  #chunksIn(seconds: number): number {
    return Math.ceil((seconds * this.#sampleRate) / (this.#chunks[0]?.length ?? 1));
  }
}

function join(chunks: readonly Samples[]): Samples {
  const joined = new Int16Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

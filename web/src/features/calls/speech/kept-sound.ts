import type { Samples } from './samples.ts';

/** What has piled up goes out in pieces of at most this length. */
const PIECE_SECONDS = 0.96;
/** What hands-free keeps of what was said, to say it again after the channel was lost. */
const KEPT_SECONDS = 30;
/** What hands-free keeps of the time before speech was noticed: what was under way, and what the noticing takes. */
const LEAD_SECONDS = 3.5;

/**
 * The sound of one stream until it need not be said again: all of a push to talk; of hands-free what is being said and
 * the moments before, so that an hour takes no more room than half a minute.
 */
export class KeptSound {
  readonly #sampleRate: number;
  readonly #keepsAll: boolean;
  #chunks: Samples[];
  /** How many of the chunks have been sent. */
  #sent = 0;
  /** Where the utterance that is being said began; null while nobody speaks. */
  #utteranceFrom: number | null = null;
  /** Where that begins which has not become a message yet. */
  #newFrom = 0;
  /** Where those utterances end that were understood whole and are not known to be stored, oldest first. */
  #wholeTo: number[] = [];
  /** Somebody speaks since the last of them. */
  #goesOn = false;

  /**
   * @param sampleRate Hz
   * @param backlog what has been recorded already
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

  /** Takes the next piece to be sent, while not all is. */
  next(): Samples {
    const count = Math.max(1, this.#chunksIn(PIECE_SECONDS));
    const piece = this.#chunks.slice(this.#sent, this.#sent + count);
    this.#sent += piece.length;
    const [first] = piece;
    return piece.length === 1 && first ? first : join(piece);
  }

  /** Somebody speaks: what is said from now on is kept until it is understood. */
  speechBegan(): void {
    this.#utteranceFrom ??= this.#recently();
    this.#goesOn = true;
  }

  /** What was sent so far was understood whole: once it is stored it need not be said again. */
  understoodWhole(): void {
    this.#utteranceFrom ??= this.#recently();
    this.#wholeTo.push(this.#sent);
    this.#goesOn = false;
  }

  /** The oldest that was understood whole is a message, or refused; where there is none, all that was sent so far is. */
  understood(): void {
    const end = this.#wholeTo.shift();
    this.#newFrom = end ?? this.#sent;
    const isMoreKept = end !== undefined && (this.#wholeTo.length > 0 || this.#goesOn);
    this.#utteranceFrom = isMoreKept ? end : null;
  }

  /** What was sent since the last that was understood whole was nothing. */
  wasNothing(): void {
    if (this.#wholeTo.length === 0) this.understood();
    this.#goesOn = false;
  }

  /** Everything that is kept is to be sent again. */
  rewind(): void {
    this.#wholeTo = [];
    this.forget();
    this.#sent = 0;
  }

  /**
   * Lets go of what need not be said again.
   * @returns whether there was too much, so that something is lost that was never sent
   */
  forget(): boolean {
    if (this.#keepsAll) return false;
    this.#shift(this.#utteranceFrom ?? this.#recently());
    const tooMany = this.#chunks.length - this.#chunksIn(KEPT_SECONDS);
    const isLoss = tooMany > this.#sent;
    this.#shift(tooMany);
    return isLoss;
  }

  /** Where that begins which may hold a beginning of speech that was not noticed yet. */
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

  /** How many chunks of the present length make so many seconds. */
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

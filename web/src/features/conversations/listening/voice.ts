import { API_URL } from '#web/lib/server/api-url';
import type { Turn } from './timeline.ts';

/** The used part of an <audio> element; tests have their own. */
export interface Media {
  src: string;
  preload: string;
  currentTime: number;
  playbackRate: number;
  defaultPlaybackRate: number;
  readonly duration: number;
  readonly paused: boolean;
  readonly ended: boolean;
  readonly readyState: number;
  play(): Promise<void>;
  pause(): void;
  load(): void;
  removeAttribute(name: 'src'): void;
  addEventListener(type: MediaEvent, listener: () => void): void;
}
type MediaEvent = 'loadedmetadata' | 'playing' | 'waiting' | 'ended' | 'error';

interface VoiceListener {
  renew(turn: Turn): Promise<string | null>;
  onLength(turn: Turn, seconds: number): void;
  /** Neither its link nor a renewed one could be played. */
  onFailed(turn: Turn): void;
  /** The browser forbids sound now. */
  onForbidden(error: unknown): void;
}

const HAS_METADATA = 1;

/** One of the two voices of the player: plays the recording of one turn at a time. */
export class Voice {
  readonly #media: Media;
  readonly #listener: VoiceListener;
  #turn: Turn | null = null;
  #state: 'free' | 'prepared' | 'waiting' | 'sounding' | 'paused' | 'ended' = 'free';
  /** Seconds; the start position, until the recording is loaded. */
  #offset: number | null = null;
  #isRenewed = false;

  constructor(media: Media, listener: VoiceListener) {
    this.#media = media;
    this.#listener = listener;
    media.preload = 'auto';
    // A phone lets an element sound later if it was loaded during the person's touch.
    media.load();
    media.addEventListener('loadedmetadata', () => this.#start());
    media.addEventListener('playing', () => {
      if (this.#state === 'waiting') this.#state = 'sounding';
    });
    media.addEventListener('waiting', () => {
      if (this.#state === 'sounding') this.#state = 'waiting';
    });
    media.addEventListener('ended', () => {
      if (this.#state === 'sounding' || this.#state === 'waiting') this.#state = 'ended';
    });
    media.addEventListener('error', () => void this.#fail());
  }

  get turn(): Turn | null {
    return this.#turn;
  }

  /** Whether it plays, is about to, or has just ended. */
  get isBusy(): boolean {
    return this.isWaiting || this.#state === 'sounding' || this.#state === 'ended';
  }

  /** Whether it waits for its recording. */
  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  /** Seconds from the beginning of its recording. */
  get at(): number {
    return this.#offset ?? this.#media.currentTime;
  }

  /** Loads a turn that will be played soon. */
  prepare(turn: Turn): void {
    this.release();
    this.#take(turn);
    this.#state = 'prepared';
  }

  /** Plays a turn from an offset in seconds. */
  play(turn: Turn, offset: number, speed: number): void {
    if (this.#turn?.id !== turn.id) {
      this.release();
      this.#take(turn);
    }
    this.setSpeed(speed);
    const isThere = this.#media.readyState >= HAS_METADATA;
    if (!(isThere && this.#state === 'sounding')) this.#state = 'waiting';
    this.#offset = offset;
    if (isThere) this.#start();
    this.#sound();
  }

  pause(): void {
    if (this.#state === 'free' || this.#state === 'prepared') return;
    this.#state = 'paused';
    this.#media.pause();
  }

  setSpeed(speed: number): void {
    this.#media.defaultPlaybackRate = speed;
    this.#media.playbackRate = speed;
  }

  /** Releases its recording. */
  release(): void {
    if (this.#turn === null) return;
    this.#turn = null;
    this.#state = 'free';
    this.#offset = null;
    this.#media.pause();
    this.#media.removeAttribute('src');
    this.#media.load();
  }

  #take(turn: Turn): void {
    this.#turn = turn;
    this.#isRenewed = false;
    if (turn.audioUrl) this.#media.src = absolute(turn.audioUrl);
  }

  /** The recording is loaded: seeks to the start position. */
  #start(): void {
    const { duration } = this.#media;
    if (this.#turn && Number.isFinite(duration)) this.#listener.onLength(this.#turn, duration);
    if (this.#offset === null) return;
    if (Math.abs(this.#media.currentTime - this.#offset) > 0.01) this.#media.currentTime = this.#offset;
    this.#offset = null;
  }

  #sound(): void {
    this.#media.play().catch((error: unknown) => {
      // An early pause and a failed recording are reported elsewhere.
      if (error instanceof DOMException && ['AbortError', 'NotSupportedError'].includes(error.name)) return;
      if (this.#state === 'waiting' || this.#state === 'sounding') this.#listener.onForbidden(error);
    });
  }

  /** A link may have expired while the page was open: requests a new one once, silently. */
  async #fail(): Promise<void> {
    const turn = this.#turn;
    if (!turn) return;
    const isWanted = this.#state === 'waiting' || this.#state === 'sounding';
    if (!isWanted) {
      this.release();
      return;
    }
    const at = this.at;
    this.#state = 'waiting';
    const isFirst = !this.#isRenewed;
    this.#isRenewed = true;
    const link = isFirst ? await this.#listener.renew(turn).catch(() => null) : null;
    if (this.#turn !== turn) return;
    if (link === null) {
      this.release();
      this.#listener.onFailed(turn);
      return;
    }
    this.#offset = at;
    this.#media.src = absolute(link);
    if (this.#state === 'waiting') this.#sound();
  }
}

const absolute = (link: string) => new URL(link, API_URL || window.location.origin).href;

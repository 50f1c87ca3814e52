import { logProblem } from '#web/lib/log';
import type { SoundAnalyser, SoundBuffer, SoundContext, SoundGain, SoundSource } from './sound-context.ts';
import { SpeechStore } from './speech-store.ts';
import { findSound, type SoundSpan } from './trim-silence.ts';

const FADE_SECONDS = 0.03;
/** A paused voice goes on this much before where it stopped, so that no sound is missing, and swells this quickly. */
const STEP_BACK_SECONDS = 0.06;
const SWELL_SECONDS = 0.012;
/** Head start of a clip that begins at once, so that its first samples are not lost. */
const LEAD_SECONDS = 0.015;
/** A browser that allows sound starts its audio within this time. */
const BLOCKED_AFTER_MS = 350;

/** What the player tells its listener as it happens at the loudspeaker. */
export type PlayerEvent =
  /** A reply's turn has come; its first sentence follows as soon as it is decoded and sound is allowed. */
  | { type: 'reply-started'; replyId: string }
  | { type: 'sentence-started'; replyId: string; index: number }
  | { type: 'sentence-ended'; replyId: string; index: number }
  /** Nothing more of this reply will be heard: it was played out, stopped, or cannot be played. */
  | { type: 'reply-ended'; replyId: string }
  /** The browser refuses to make a sound before the person has touched the page, or allows it again. */
  | { type: 'sound-blocked'; blocked: boolean };

/** How far the reply that was playing had got: its playout position. */
export interface PlayoutPosition {
  replyId: string;
  /** Milliseconds of the reply's own audio that left the loudspeaker. */
  playedMs: number;
  /** The sentence that was being heard, and how much of it (0 to 1). */
  index: number;
  fraction: number;
}

interface Clip {
  index: number;
  buffer: SoundBuffer;
  /** Where its sound lies in the buffer. */
  sound: SoundSpan;
  source: SoundSource;
  /** Audio-clock seconds. */
  startsAt: number;
  endsAt: number;
  /** Where in the buffer `source` begins, in seconds. */
  offset: number;
  ended: boolean;
}

interface Playing {
  replyId: string;
  gain: SoundGain;
  /** Index of the sentence to be scheduled next. */
  next: number;
  scheduled: Clip[];
  started: number | null;
  /** How far it had got when it was paused; null while it plays. */
  heldAt: PlayoutPosition | null;
}

/**
 * Plays replies that arrive sentence by sentence: in order, without gaps, one reply after the other.
 * Sentences may come out of order or late; each is decoded when its turn comes.
 */
export class AudioPlayer {
  readonly #store: SpeechStore;
  readonly #listener: (event: PlayerEvent) => void;
  readonly #createContext: () => SoundContext;
  #context: SoundContext | null = null;
  #analyser: SoundAnalyser | null = null;
  #samples = new Float32Array(1_024);
  #playing: Playing | null = null;
  #waiting: string[] = [];
  #pumping = false;
  #pumpAgain = false;
  #blocked = false;
  #isHeld = false;
  #isMute = false;
  #blockedCheck: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(
    listener: (event: PlayerEvent) => void,
    options: { createContext?: () => SoundContext; store?: SpeechStore } = {},
  ) {
    this.#listener = listener;
    this.#createContext = options.createContext ?? (() => new AudioContext({ latencyHint: 'interactive' }));
    this.#store = options.store ?? new SpeechStore();
  }

  /**
   * Takes one sentence of a reply.
   * @param audio an encoded file the browser can decode; null for a sentence without sound, which is passed over.
   * @param play false keeps it for a replay only.
   */
  add(replyId: string, index: number, audio: Uint8Array | null, isLast: boolean, play: boolean): void {
    if (this.#closed) return;
    this.#store.add(replyId, index, audio, isLast);
    if (play) this.#enqueue(replyId);
    void this.#pump();
  }

  /** Nothing more of the reply that is playing will come: it ends with the sentences that are here. */
  expectNoMore(): void {
    if (!this.#playing) return;
    this.#store.close(this.#playing.replyId);
    void this.#pump();
  }

  /** Whether `replay` would make a sound. */
  canReplay(replyId: string): boolean {
    return !this.#isMute && this.#store.has(replyId);
  }

  /** Plays a reply from its beginning, in place of whatever is playing. To be called from a person's own action. */
  replay(replyId: string): void {
    this.stop();
    this.#enqueue(replyId);
    void this.#pump();
  }

  /** Lets the browser make sound. To be called from a click or a key press. */
  unlock(): void {
    if (this.#closed) return;
    const context = this.#open();
    if (context) void this.#wake(context);
  }

  /**
   * Stops at once, with a fade too short to hear as one, and forgets what was waiting.
   * @returns what had been heard of the reply that was playing, or null when none was.
   */
  stop(): PlayoutPosition | null {
    this.#waiting = [];
    this.#isHeld = false;
    const playing = this.#playing;
    if (!playing) return null;
    const heard = this.#heard(playing);
    this.#playing = null;
    if (!playing.heldAt) this.#fadeOut(playing);
    this.#setBlocked(false);
    this.#listener({ type: 'reply-ended', replyId: playing.replyId });
    return heard;
  }

  /** Pauses at once, as `stop` stops, and keeps the place. Until `release` or `stop` nothing is heard, nothing begins. */
  hold(): void {
    if (this.#isHeld || this.#closed) return;
    this.#isHeld = true;
    const playing = this.#playing;
    if (!playing) return;
    playing.heldAt = this.#heard(playing);
    this.#fadeOut(playing);
  }

  /** Goes on after `hold`, a few milliseconds before where it was. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    const playing = this.#playing;
    if (playing?.heldAt && this.#context) this.#goOn(this.#context, playing, playing.heldAt);
    void this.#pump();
  }

  /** What has been heard of the reply that is playing; null when none is. */
  position(): PlayoutPosition | null {
    return this.#playing ? this.#heard(this.#playing) : null;
  }

  /** Loudness of what is being heard now, 0 to 1. */
  level(): number {
    if (!this.#analyser || !this.#playing) return 0;
    this.#analyser.getFloatTimeDomainData(this.#samples);
    let sum = 0;
    for (const sample of this.#samples) sum += sample * sample;
    // Speech at full level has an RMS near 0.2.
    return Math.min(1, Math.sqrt(sum / this.#samples.length) * 5);
  }

  /** Ends the player for good and gives the loudspeaker back. */
  async close(): Promise<void> {
    this.stop();
    this.#closed = true;
    clearTimeout(this.#blockedCheck);
    await this.#context
      ?.close()
      .catch((error: unknown) => logProblem('The audio output did not close.', error));
  }

  #enqueue(replyId: string): void {
    if (this.#playing?.replyId === replyId || this.#waiting.includes(replyId)) return;
    this.#waiting.push(replyId);
  }

  /** The audio output; null on a machine that has none, where a call goes on as text. */
  #open(): SoundContext | null {
    if (this.#context || this.#isMute) return this.#context;
    let context: SoundContext;
    try {
      context = this.#createContext();
    } catch (error) {
      this.#isMute = true;
      logProblem('This browser gives no audio output.', error);
      return null;
    }
    const analyser = context.createAnalyser();
    analyser.fftSize = this.#samples.length;
    analyser.connect(context.destination);
    context.addEventListener('statechange', () => {
      if (context.state === 'running') this.#setBlocked(false);
      void this.#pump();
    });
    this.#context = context;
    this.#analyser = analyser;
    return context;
  }

  async #wake(context: SoundContext): Promise<void> {
    if (context.state === 'running' || context.state === 'closed') return;
    clearTimeout(this.#blockedCheck);
    this.#blockedCheck = setTimeout(() => {
      if (context.state !== 'running' && this.#playing) this.#setBlocked(true);
    }, BLOCKED_AFTER_MS);
    // Where sound is not allowed yet this promise stays open until it is.
    await context.resume().catch((error: unknown) => logProblem('The audio output did not start.', error));
  }

  #setBlocked(blocked: boolean): void {
    if (blocked === this.#blocked) return;
    this.#blocked = blocked;
    this.#listener({ type: 'sound-blocked', blocked });
  }

  /** Schedules every sentence whose turn has come; called whenever something may have become possible. */
  async #pump(): Promise<void> {
    this.#pumpAgain = true;
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#pumpAgain) {
        this.#pumpAgain = false;
        while (!this.#closed && (await this.#step()));
      }
    } finally {
      this.#pumping = false;
    }
  }

  /** One step; false when there is nothing to do before something else happens. */
  async #step(): Promise<boolean> {
    if (this.#isHeld) return false;
    const playing = this.#playing ?? this.#begin();
    if (!playing) return false;
    const reply = this.#store.get(playing.replyId);
    const clip = reply?.clips.get(playing.next);
    if (clip === undefined) {
      const quiet = playing.scheduled.every((each) => each.ended);
      const over = !reply || (reply.last !== null && playing.next > reply.last) || this.#waiting.length > 0;
      if (!quiet || !over) return false;
      this.#finish(playing);
      return true;
    }
    if (clip === null) {
      playing.next++;
      return true;
    }
    const context = this.#open();
    if (!context) return false;
    if (context.state !== 'running') {
      void this.#wake(context);
      return false;
    }
    await this.#schedule(context, playing, clip);
    return true;
  }

  #begin(): Playing | null {
    const context = this.#waiting.length > 0 ? this.#open() : null;
    const replyId = this.#waiting.shift();
    if (replyId === undefined || !context) return null;
    const gain = this.#createGain(context);
    const playing: Playing = { replyId, gain, next: 0, scheduled: [], started: null, heldAt: null };
    this.#playing = playing;
    this.#listener({ type: 'reply-started', replyId });
    return playing;
  }

  async #schedule(context: SoundContext, playing: Playing, encoded: Uint8Array): Promise<void> {
    const index = playing.next;
    let buffer: SoundBuffer;
    try {
      // Decoding takes its input away, and this one is kept for a replay.
      buffer = await context.decodeAudioData(encoded.slice().buffer);
    } catch (error) {
      logProblem('A sentence of a reply could not be decoded.', error);
      playing.next++;
      return;
    }
    // Stopped or paused while it was being decoded.
    if (this.#playing !== playing || playing.heldAt) return;
    const sound = findSound(buffer.getChannelData(0), buffer.sampleRate);
    this.#play(context, playing, { index, buffer, sound, offset: sound.startsAt });
    playing.next = index + 1;
    this.#announce(playing);
  }

  /** Puts a clip, or what is left of it from `offset` on, at the end of what is scheduled. */
  #play(
    context: SoundContext,
    playing: Playing,
    part: Pick<Clip, 'index' | 'buffer' | 'sound' | 'offset'>,
  ): void {
    const { buffer, sound, offset } = part;
    const earliest = context.currentTime + LEAD_SECONDS;
    const startsAt = Math.max(earliest, playing.scheduled.at(-1)?.endsAt ?? 0);
    const length = sound.startsAt + sound.length - offset;
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(playing.gain);
    source.start(startsAt, offset, length);
    const clip: Clip = { ...part, source, startsAt, endsAt: startsAt + length, ended: false };
    playing.scheduled.push(clip);
    source.addEventListener('ended', () => this.#ended(playing, clip));
  }

  /** What was paused is heard from there on, and what was to follow it follows again. */
  #goOn(context: SoundContext, playing: Playing, heldAt: PlayoutPosition): void {
    const now = context.currentTime;
    const rest = playing.scheduled.filter((clip) => !clip.ended);
    playing.scheduled = playing.scheduled.filter((clip) => clip.ended);
    playing.heldAt = null;
    playing.gain.disconnect();
    playing.gain = this.#createGain(context);
    playing.gain.gain.setValueAtTime(0, now + LEAD_SECONDS);
    playing.gain.gain.linearRampToValueAtTime(1, now + LEAD_SECONDS + SWELL_SECONDS);
    for (const { index, buffer, sound } of rest) {
      const heard = index === heldAt.index ? heldAt.fraction * sound.length - STEP_BACK_SECONDS : 0;
      this.#play(context, playing, { index, buffer, sound, offset: sound.startsAt + Math.max(0, heard) });
    }
  }

  #createGain(context: SoundContext): SoundGain {
    const gain = context.createGain();
    if (this.#analyser) gain.connect(this.#analyser);
    return gain;
  }

  #fadeOut(playing: Playing): void {
    const context = this.#context;
    if (!context) return;
    const now = context.currentTime;
    playing.gain.gain.setValueAtTime(1, now);
    playing.gain.gain.linearRampToValueAtTime(0, now + FADE_SECONDS);
    for (const clip of playing.scheduled) clip.source.stop(now + FADE_SECONDS);
  }

  #ended(playing: Playing, clip: Clip): void {
    // One that was paused ends without having been heard to its end.
    if (playing.heldAt || !playing.scheduled.includes(clip)) return;
    clip.ended = true;
    if (this.#playing !== playing) return;
    this.#listener({ type: 'sentence-ended', replyId: playing.replyId, index: clip.index });
    this.#announce(playing);
    void this.#pump();
  }

  /** The first sentence not yet ended is the one being heard: they are scheduled end to end. */
  #announce(playing: Playing): void {
    const current = playing.scheduled.find((clip) => !clip.ended);
    if (!current || playing.started === current.index) return;
    playing.started = current.index;
    this.#listener({ type: 'sentence-started', replyId: playing.replyId, index: current.index });
  }

  #finish(playing: Playing): void {
    this.#playing = null;
    playing.gain.disconnect();
    this.#listener({ type: 'reply-ended', replyId: playing.replyId });
  }

  #heard(playing: Playing): PlayoutPosition {
    if (playing.heldAt) return playing.heldAt;
    const context = this.#context;
    const now = context ? context.currentTime - (context.outputLatency || 0) : 0;
    let heard = 0;
    let index = 0;
    let fraction = 0;
    for (const clip of playing.scheduled) {
      if (now < clip.startsAt) break;
      index = clip.index;
      if (clip.ended || now >= clip.endsAt) {
        heard += clip.buffer.duration;
        fraction = 1;
      } else {
        const position = clip.offset + (now - clip.startsAt);
        heard += position;
        fraction = Math.max(0, (position - clip.sound.startsAt) / clip.sound.length);
      }
    }
    return { replyId: playing.replyId, playedMs: Math.round(heard * 1_000), index, fraction };
  }
}

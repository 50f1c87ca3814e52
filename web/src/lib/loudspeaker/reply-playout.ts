import { logProblem } from '../log.ts';
import type { SoundBuffer, SoundContext, SoundGain, SoundNode, SoundSource } from './sound-context.ts';
import { findSound, type SoundSpan } from './trim-silence.ts';

const FADE_SECONDS = 0.03;
/** A paused voice resumes this much earlier, so that no sound is missing, and fades in over this time. */
const STEP_BACK_SECONDS = 0.06;
const SWELL_SECONDS = 0.012;
/** Lead time of a clip that begins at once, so that its first samples are not lost. */
const LEAD_SECONDS = 0.015;

/** The playout position of a reply. */
export interface PlayoutPosition {
  replyId: string;
  /** Milliseconds of the reply's audio that were played. */
  playedMs: number;
  /** The sentence being played, and the played share of it (0 to 1). */
  index: number;
  fraction: number;
}

interface SentenceListener {
  started(index: number): void;
  /** It was played to its end. */
  ended(index: number): void;
}

interface Clip {
  index: number;
  buffer: SoundBuffer;
  /** Position of its sound in the buffer. */
  sound: SoundSpan;
  source: SoundSource;
  /** Audio-clock seconds. */
  startsAt: number;
  endsAt: number;
  /** Start of `source` in the buffer, in seconds. */
  offset: number;
  ended: boolean;
}

/** One reply at the loudspeaker: its sentences end to end, and its position when paused. */
export class ReplyPlayout {
  readonly replyId: string;
  /** Index of the next sentence to play. */
  next = 0;
  readonly #context: SoundContext;
  readonly #output: SoundNode;
  readonly #listener: SentenceListener;
  #gain: SoundGain;
  #scheduled: Clip[] = [];
  #started: number | null = null;
  /** Position when it was paused or stopped; null while it plays. */
  #heldAt: PlayoutPosition | null = null;

  constructor(replyId: string, context: SoundContext, output: SoundNode, listener: SentenceListener) {
    this.replyId = replyId;
    this.#context = context;
    this.#output = output;
    this.#listener = listener;
    this.#gain = this.#createGain();
  }

  /** Whether everything added has been played. */
  get isQuiet(): boolean {
    return this.#scheduled.every((clip) => clip.ended);
  }

  /** Queues the next sentence; one that cannot be decoded is skipped. */
  async add(encoded: Uint8Array): Promise<void> {
    const index = this.next;
    let buffer: SoundBuffer;
    try {
      // Decoding consumes its input, and the original is kept for a replay.
      buffer = await this.#context.decodeAudioData(encoded.slice().buffer);
    } catch (error) {
      logProblem('A sentence of a reply could not be decoded.', error);
      this.next++;
      return;
    }
    // Stopped or paused during decoding.
    if (this.#heldAt) return;
    const sound = findSound(buffer.getChannelData(0), buffer.sampleRate);
    this.#play({ index, buffer, sound, offset: sound.startsAt });
    this.next = index + 1;
    this.#announce();
  }

  /** Pauses at once, with an inaudibly short fade, and keeps the position. */
  hold(): void {
    if (this.#heldAt) return;
    this.#heldAt = this.position();
    const now = this.#context.currentTime;
    this.#gain.gain.setValueAtTime(1, now);
    this.#gain.gain.linearRampToValueAtTime(0, now + FADE_SECONDS);
    for (const clip of this.#scheduled) clip.source.stop(now + FADE_SECONDS);
  }

  /** Resumes after `hold`, a few milliseconds earlier. */
  release(): void {
    const heldAt = this.#heldAt;
    if (!heldAt) return;
    const now = this.#context.currentTime;
    const rest = this.#scheduled.filter((clip) => !clip.ended);
    this.#scheduled = this.#scheduled.filter((clip) => clip.ended);
    this.#heldAt = null;
    this.#gain.disconnect();
    this.#gain = this.#createGain();
    this.#gain.gain.setValueAtTime(0, now + LEAD_SECONDS);
    this.#gain.gain.linearRampToValueAtTime(1, now + LEAD_SECONDS + SWELL_SECONDS);
    for (const { index, buffer, sound } of rest) {
      const played = index === heldAt.index ? heldAt.fraction * sound.length - STEP_BACK_SECONDS : 0;
      this.#play({ index, buffer, sound, offset: sound.startsAt + Math.max(0, played) });
    }
  }

  /** Releases the loudspeaker once it is quiet. */
  finish(): void {
    this.#gain.disconnect();
  }

  position(): PlayoutPosition {
    if (this.#heldAt) return this.#heldAt;
    const now = this.#context.currentTime - (this.#context.outputLatency || 0);
    let played = 0;
    let index = 0;
    let fraction = 0;
    for (const clip of this.#scheduled) {
      if (now < clip.startsAt) break;
      index = clip.index;
      if (clip.ended || now >= clip.endsAt) {
        played += clip.buffer.duration;
        fraction = 1;
      } else {
        const position = clip.offset + (now - clip.startsAt);
        played += position;
        fraction = Math.max(0, (position - clip.sound.startsAt) / clip.sound.length);
      }
    }
    return { replyId: this.replyId, playedMs: Math.round(played * 1_000), index, fraction };
  }

  /** Schedules a clip, or its rest from `offset` on, after what is scheduled. */
  #play(part: Pick<Clip, 'index' | 'buffer' | 'sound' | 'offset'>): void {
    const { buffer, sound, offset } = part;
    const earliest = this.#context.currentTime + LEAD_SECONDS;
    const startsAt = Math.max(earliest, this.#scheduled.at(-1)?.endsAt ?? 0);
    const length = sound.startsAt + sound.length - offset;
    const source = this.#context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.#gain);
    source.start(startsAt, offset, length);
    const clip: Clip = { ...part, source, startsAt, endsAt: startsAt + length, ended: false };
    this.#scheduled.push(clip);
    source.addEventListener('ended', () => this.#ended(clip));
  }

  #ended(clip: Clip): void {
    // A paused source ends without having been played to its end.
    if (this.#heldAt || !this.#scheduled.includes(clip)) return;
    clip.ended = true;
    this.#listener.ended(clip.index);
    this.#announce();
  }

  /** The first sentence that has not ended is the one being played, since they are scheduled end to end. */
  #announce(): void {
    const current = this.#scheduled.find((clip) => !clip.ended);
    if (!current || this.#started === current.index) return;
    this.#started = current.index;
    this.#listener.started(current.index);
  }

  #createGain(): SoundGain {
    const gain = this.#context.createGain();
    gain.connect(this.#output);
    return gain;
  }
}

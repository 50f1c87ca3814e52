import type { Sound } from '#server/audio/sound';

/** A whole, playable file. */
export interface SoundFile {
  audio: Uint8Array;
  mediaType: string;
  /** Exact length of what a decoder plays, in whole milliseconds. */
  durationMs: number;
}

/** Makes sound small enough to travel to a page, and to be kept. */
export interface SoundEncoder {
  /**
   * A file of a sound. The same sound asked for again is not encoded again, as long as somebody holds it.
   * @param urgency somebody waits for it `now`: it overtakes what is only to be kept
   * @throws RangeError for sound at another rate than 8,000 to 48,000 Hz; EngineError when it could not be encoded, or,
   * `now`, not in time
   */
  encode(sound: Sound, urgency: 'now' | 'later'): Promise<SoundFile>;
  /**
   * The beginning of a file, as exactly as its kind allows.
   * @param ms milliseconds from its beginning
   * @returns null for a file of another kind, or when next to nothing would be left
   */
  cut(file: Pick<SoundFile, 'audio' | 'mediaType'>, ms: number): SoundFile | null;
  /** A file without what it says of its own length: several of them, end to end, are one stream. */
  streamed(file: Pick<SoundFile, 'audio' | 'mediaType'>): Uint8Array;
  close(): Promise<void>;
}

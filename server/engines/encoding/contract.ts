import type { Sound } from '#server/audio/sound';

/** A whole, playable file. */
export interface SoundFile {
  audio: Uint8Array;
  mediaType: string;
  /** Exact length of what a decoder plays, in whole milliseconds. */
  durationMs: number;
}

/** Encodes sound for storage and for sending to a page. */
export interface SoundEncoder {
  /**
   * Encodes a sound as a file. The same sound object is encoded once, as long as it is referenced.
   * @param urgency `now`: a caller is waiting; goes ahead of `later`, which is only stored
   * @throws RangeError for sample rates outside 8,000 to 48,000 Hz; EngineError when encoding fails or, for
   * `now`, takes too long
   */
  encode(sound: Sound, urgency: 'now' | 'later'): Promise<SoundFile>;
  /**
   * The beginning of a file, as exactly as its kind allows.
   * @param ms length to keep, in milliseconds
   * @returns null for a file of another kind, or when next to nothing would be left
   */
  cut(file: Pick<SoundFile, 'audio' | 'mediaType'>, ms: number): SoundFile | null;
  /** The file without its length header: several of them, end to end, form one stream. */
  streamed(file: Pick<SoundFile, 'audio' | 'mediaType'>): Uint8Array;
  close(): Promise<void>;
}

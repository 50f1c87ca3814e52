import { joinSounds, type Sound } from '#server/audio/sound';
import type { SpokenPhrase } from './contract.ts';

/** Sound, and the share of the text that has been said by its end: 0 to 1, by letters. */
export interface SpokenPiece extends Sound {
  said: number;
}

/**
 * Assigns to each piece of sound the written words that it says; sound in which no word ends waits for the
 * next.
 */
export class Wording {
  readonly #text: string;
  #written = 0;
  #sounds: Sound[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  next({ said, ...sound }: SpokenPiece): SpokenPhrase | null {
    this.#sounds.push(sound);
    const end = said === 1 ? this.#text.length : this.#wordEndAt(said * this.#text.length);
    const text = this.#text.slice(this.#written, end).trim();
    if (text === '' && said < 1) return null;
    this.#written = end;
    const sounds = this.#sounds;
    this.#sounds = [];
    return { text, ...joinSounds(sounds) };
  }

  /**
   * The nearest end of a further word, except the last, so that a piece is not held back for a letter or two.
   */
  #wordEndAt(reached: number): number {
    const ends = [...this.#text.matchAll(/\S+/gu)].map((word) => word.index + word[0].length).slice(0, -1);
    const [next = this.#written, ...others] = ends.filter((end) => end > this.#written);
    return others.reduce(
      (best, end) => (Math.abs(end - reached) < Math.abs(best - reached) ? end : best),
      next,
    );
  }
}

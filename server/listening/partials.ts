import type { RecentSound } from './sound.ts';
import type { Transcription } from './transcription.ts';

/** Shows the words while they are spoken: one transcript at a time, so a slow machine is asked less often. */
export class Partials {
  readonly #sound: RecentSound;
  readonly #transcription: Transcription;
  readonly #every: number;
  readonly #show: (text: string) => void;
  #asked: AbortController | null = null;
  #next: number;

  /** @param every new speech between two transcripts, in samples */
  constructor(
    { sound, transcription }: { sound: RecentSound; transcription: Transcription },
    every: number,
    show: (text: string) => void,
  ) {
    this.#sound = sound;
    this.#transcription = transcription;
    this.#every = every;
    this.#show = show;
    this.#next = sound.end + every;
  }

  /** Speech continues: requests a transcript if one is due. */
  follow(): void {
    const now = this.#sound.end;
    if (this.#asked || now < this.#next) return;
    const asked = new AbortController();
    this.#asked = asked;
    const over = () => {
      if (this.#asked !== asked) return false;
      this.#asked = null;
      this.after(Math.max(this.#every, this.#sound.end - now));
      return true;
    };
    this.#transcription
      .read(now, 'partial', asked.signal)
      .then(({ whole }) => {
        if (over()) this.#show(whole);
      })
      // A partial may fail silently; the recognition after the pause reports failures.
      .catch(over);
  }

  /** Schedules the next one after this much more sound. */
  after(samples = this.#every): void {
    this.#next = this.#sound.end + samples;
  }

  drop(): void {
    this.#asked?.abort();
    this.#asked = null;
  }
}

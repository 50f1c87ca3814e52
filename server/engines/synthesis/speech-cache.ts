import type { Speech } from './contract.ts';

/** Remembers the speech of texts that come again, such as greetings; the least recently used ones go first. */
export class SpeechCache {
  #speeches = new Map<string, Speech>();
  #bytes = 0;
  readonly #maxBytes: number;

  /** @param maxBytes bound on the audio kept; 0 keeps none */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(text: string): Speech | null {
    const speech = this.#speeches.get(text);
    if (!speech) return null;
    this.#speeches.delete(text);
    this.#speeches.set(text, speech);
    return copy(speech);
  }

  set(text: string, speech: Speech): void {
    const before = this.#speeches.get(text);
    if (before) this.#forget(text, before);
    if (speech.audio.byteLength > this.#maxBytes) return;
    this.#speeches.set(text, copy(speech));
    this.#bytes += speech.audio.byteLength;
    for (const [oldest, old] of this.#speeches) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#forget(oldest, old);
    }
  }

  #forget(text: string, speech: Speech): void {
    this.#speeches.delete(text);
    this.#bytes -= speech.audio.byteLength;
  }
}

/** Whoever gets audio may hand its buffer on to another thread, which empties it here. */
const copy = (speech: Speech): Speech => ({ ...speech, audio: speech.audio.slice() });

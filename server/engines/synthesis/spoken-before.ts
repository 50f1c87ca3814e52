import type { SpokenPhrase, SynthesisEngine } from './contract.ts';

/** Two and a quarter minutes of speech at 22.05 kHz. */
const MAX_BYTES = 12_000_000;

/**
 * A voice that remembers what it has said, such as greetings: the very same sound answers the same text at once.
 * @param maxBytes bound on the sound that is kept; 0 keeps none
 */
export function rememberSpoken(engine: SynthesisEngine, maxBytes = MAX_BYTES): SynthesisEngine {
  const spoken = new SpokenBefore(maxBytes);
  return {
    name: engine.name,
    status: () => engine.status(),
    async *synthesize(request) {
      request.signal?.throwIfAborted();
      const key = `${request.language ?? ''} ${request.text}`;
      const known = spoken.get(key);
      if (known) return yield* known;
      const phrases: SpokenPhrase[] = [];
      for await (const phrase of engine.synthesize(request)) {
        phrases.push(phrase);
        yield phrase;
      }
      spoken.set(key, phrases);
    },
    close: () => engine.close(),
  };
}

/** What was said, by its text; the least recently used goes first. */
export class SpokenBefore {
  #spoken = new Map<string, readonly SpokenPhrase[]>();
  #bytes = 0;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): readonly SpokenPhrase[] | null {
    const phrases = this.#spoken.get(key);
    if (!phrases) return null;
    this.#spoken.delete(key);
    this.#spoken.set(key, phrases);
    return phrases;
  }

  set(key: string, phrases: readonly SpokenPhrase[]): void {
    this.#forget(key);
    if (bytesOf(phrases) > this.#maxBytes) return;
    this.#spoken.set(key, phrases);
    this.#bytes += bytesOf(phrases);
    for (const oldest of this.#spoken.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= bytesOf(this.#spoken.get(key) ?? []);
    this.#spoken.delete(key);
  }
}

const bytesOf = (phrases: readonly SpokenPhrase[]) =>
  phrases.reduce((sum, { samples }) => sum + samples.byteLength, 0);

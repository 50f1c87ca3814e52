import type { RecognitionEngine } from './recognition/contract.ts';
import type { SynthesisEngine } from './synthesis/contract.ts';

interface Closable {
  close(): Promise<void>;
}

/** An engine in whose place another may be put while it is asked: what is under way ends on the one it began on. */
class Place<Engine extends Closable> {
  #engine: Engine;
  readonly #uses = new Map<Engine, number>();
  /** Those that were replaced, until they are closed. */
  readonly #leaving = new Set<Engine>();
  readonly #closing = new Set<Promise<void>>();
  readonly #onFailure: (error: unknown) => void;

  constructor(engine: Engine, onFailure: (error: unknown) => void) {
    this.#engine = engine;
    this.#onFailure = onFailure;
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** The engine of now, kept open until `done` is called. */
  use(): { engine: Engine; done: () => void } {
    const engine = this.#engine;
    this.#uses.set(engine, (this.#uses.get(engine) ?? 0) + 1);
    return {
      engine,
      done: () => {
        const left = (this.#uses.get(engine) ?? 1) - 1;
        if (left > 0) this.#uses.set(engine, left);
        else this.#uses.delete(engine);
        this.#closeIfUnused(engine);
      },
    };
  }

  replace(next: Engine): void {
    const before = this.#engine;
    this.#engine = next;
    this.#leaving.add(before);
    this.#closeIfUnused(before);
  }

  /** Closes it, and those before it, whatever they are asked. */
  async close(): Promise<void> {
    const left = [this.#engine, ...this.#leaving];
    this.#leaving.clear();
    await Promise.all([...left.map((engine) => engine.close()), ...this.#closing]);
  }

  #closeIfUnused(engine: Engine): void {
    if (this.#uses.has(engine) || !this.#leaving.delete(engine)) return;
    const closing = engine
      .close()
      .catch(this.#onFailure)
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

/** An engine, and what puts another in its place. */
interface Replaceable<Engine> {
  engine: Engine;
  /** Whoever asks from now on asks `next`; the one before is closed when nobody waits for it any more. */
  replace(next: Engine): void;
}

/** @param onFailure told when one that was replaced could not be closed */
export function replaceableRecognition(
  first: RecognitionEngine,
  onFailure: (error: unknown) => void,
): Replaceable<RecognitionEngine> {
  const place = new Place(first, onFailure);
  return {
    engine: {
      get name() {
        return place.engine.name;
      },
      status: () => place.engine.status(),
      async recognize(request) {
        const { engine, done } = place.use();
        try {
          return await engine.recognize(request);
        } finally {
          done();
        }
      },
      close: () => place.close(),
    },
    replace: (next) => place.replace(next),
  };
}

/** As `replaceableRecognition`. */
export function replaceableSynthesis(
  first: SynthesisEngine,
  onFailure: (error: unknown) => void,
): Replaceable<SynthesisEngine> {
  const place = new Place(first, onFailure);
  return {
    engine: {
      get name() {
        return place.engine.name;
      },
      status: () => place.engine.status(),
      async *synthesize(request) {
        const { engine, done } = place.use();
        try {
          yield* engine.synthesize(request);
        } finally {
          done();
        }
      },
      close: () => place.close(),
    },
    replace: (next) => place.replace(next),
  };
}

import type { RecognitionEngine } from './recognition/contract.ts';
import type { SynthesisEngine } from './synthesis/contract.ts';

interface Closable {
  close(): Promise<void>;
}

/**
 * Holds an engine that can be replaced while in use: a request under way finishes on the engine it began on.
 */
class Place<Engine extends Closable> {
  #engine: Engine;
  readonly #uses = new Map<Engine, number>();
  /** Replaced engines that are not closed yet. */
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

  /** The current engine, kept open until `done` is called. */
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

  /** Closes the engine and those before it, even while in use. */
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

/** An engine that can be replaced. */
interface Replaceable<Engine> {
  engine: Engine;
  /** Requests from now on go to `next`; the previous engine is closed when its last request has ended. */
  replace(next: Engine): void;
}

/** @param onFailure called when a replaced engine could not be closed */
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

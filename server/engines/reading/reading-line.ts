import { setImmediate as yieldToMessages } from 'node:timers/promises';

type Urgency = 'turn' | 'index';

/** Whose texts they are. */
export interface Reader {
  urgency: Urgency;
  /** The place of the turn that asks: smaller ones are read first. Without it the request is its own turn. */
  turn?: number | undefined;
  /** What a customer asks: little to read, and without it nothing of a turn can begin. */
  isQuestion?: boolean;
  /** How many texts of the same work will be asked for after these. */
  following?: number | undefined;
}

interface Waiting extends Reader {
  /** Texts still to be read, those that follow too. */
  left: number;
  /** Reads the next text. */
  step: () => Promise<void>;
}

/** Within a turn one request follows another; between two of them lies a search at most. */
const BETWEEN_REQUESTS_MS = 30;

/**
 * Reads one text at a time and chooses anew after each: a turn's before an index's, questions before what bears on them,
 * then that of the turn that began first, then who has fewer texts left, then who came first. A turn asks again and again: taking turns by request, all
 * who ask at once would be done when the last of them is. After a turn's text an index rests a moment, since the same turn mostly asks on: a customer waits for
 * one text of an index at most, not for one before each request.
 */
export class ReadingLine {
  readonly #restMs: number;
  #waiting: Waiting[] = [];
  #working = false;
  /** When the last text of a turn was read. */
  #lastTurn = -Infinity;
  #wake: () => void = () => {};

  /** @param restMs how long an index rests after a turn, in milliseconds */
  constructor(restMs = BETWEEN_REQUESTS_MS) {
    this.#restMs = restMs;
  }

  /**
   * @param read reads one text
   * @returns what `read` made of each text, in order
   * @throws what `read` throws, the signal's reason
   */
  run<T>(
    reader: Reader,
    texts: readonly string[],
    signal: AbortSignal,
    read: (text: string) => Promise<T>,
  ): Promise<T[]> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const done: T[] = [];
      const leave = () => {
        signal.removeEventListener('abort', onAbort);
        this.#waiting = this.#waiting.filter((other) => other !== entry);
      };
      const onAbort = () => {
        leave();
        reject(signal.reason);
      };
      const { following = 0 } = reader;
      const entry: Waiting = {
        ...reader,
        left: texts.length + following,
        step: async () => {
          try {
            const text = texts[done.length];
            if (text !== undefined) done.push(await read(text));
            entry.left = texts.length - done.length + following;
            if (done.length < texts.length) return;
            leave();
            resolve(done);
          } catch (error) {
            leave();
            reject(error);
          }
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(entry);
      this.#wake();
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    for (;;) {
      // What came while a text was read is heard of only now.
      await yieldToMessages();
      const [first, ...others] = this.#waiting;
      if (!first) break;
      const next = others.reduce((best, other) => (isBefore(other, best) ? other : best), first);
      const restMs = this.#lastTurn + this.#restMs - performance.now();
      if (next.urgency === 'index' && restMs > 0) {
        await this.#newcomer(restMs);
        continue;
      }
      await next.step();
      if (next.urgency === 'turn') this.#lastTurn = performance.now();
    }
    this.#working = false;
  }

  /** Resolves when somebody comes, or when the time is over. */
  #newcomer(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function isBefore(a: Waiting, b: Waiting): boolean {
  if (a.urgency !== b.urgency) return a.urgency === 'turn';
  if (a.isQuestion !== b.isQuestion) return a.isQuestion === true;
  if (a.turn !== undefined && b.turn !== undefined && a.turn !== b.turn) return a.turn < b.turn;
  return a.left < b.left;
}

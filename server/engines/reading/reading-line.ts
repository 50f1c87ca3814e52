import { setImmediate as yieldToMessages } from 'node:timers/promises';

type Urgency = 'turn' | 'index';

/** A request for texts to be read. */
export interface Reader {
  urgency: Urgency;
  /** Order of the asking turn: smaller is read first. Without it, the request is a turn of its own. */
  turn?: number | undefined;
  /** A customer's question: short, and a turn cannot begin without it. */
  isQuestion?: boolean;
  /** How many texts of the same work will follow these. */
  following?: number | undefined;
}

interface Waiting extends Reader {
  /** Texts still to be read, including those that follow. */
  left: number;
  step: () => Promise<void>;
}

/** Within a turn requests follow one another with at most a search between. */
const BETWEEN_REQUESTS_MS = 30;

/**
 * Reads one text at a time and chooses anew after each: turns before indexes, questions before relevance,
 * then the turn that began first, then the request with fewer texts left, then the first to arrive. By turn
 * rather than by request: otherwise all turns at once would finish when the last one does. After a turn's
 * text, index work rests a moment, since the same turn usually asks again; so a customer waits for at most
 * one text of an index in a turn.
 */
export class ReadingLine {
  readonly #restMs: number;
  #waiting: Waiting[] = [];
  #working = false;
  /** When the last text of a turn was read. */
  #lastTurn = -Infinity;
  #wake: () => void = () => {};

  /** @param restMs rest of index work after a turn's text, in milliseconds */
  constructor(restMs = BETWEEN_REQUESTS_MS) {
    this.#restMs = restMs;
  }

  /**
   * @param read reads one text
   * @returns the result of `read` for each text, in order
   * @throws the error of `read`; the signal's reason
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
      // Messages that arrived while a text was read are handled only now.
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

  /** Resolves when a request arrives or the time is over. */
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

import { startWorkerThread } from '#server/worker-thread';
import type { AgentDocument, AgentProfile } from '../contract.ts';
import type { PassagesMethods } from './passages.worker.ts';

/** Characters read in a tenth of a second: shorter documents never wait for a longer one. */
const SHORT = 10_000;
/** A thread leaves when nobody has needed it for so long, in milliseconds. */
const IDLE_MS = 30_000;
/** A document is read in one go. */
const HANG_MS = 30_000;

export const charactersOf = ({ parts }: AgentDocument): number =>
  parts.reduce((sum, { text }) => sum + text.length, 0);

/** A thread that reads. */
interface Reader {
  read(document: Parameters<PassagesMethods['read']>[0]): Promise<Uint8Array>;
  readDocuments(request: Parameters<PassagesMethods['readDocuments']>[0]): Promise<Uint8Array[]>;
  terminate(): Promise<void>;
}

interface Waiting {
  size: number;
  /** Never rejects. */
  read(reader: Reader): Promise<void>;
  giveUp(): void;
}

function startReader(onExit: () => void): Reader {
  const thread = startWorkerThread<PassagesMethods>(import.meta.url, './passages.worker', {
    hangMs: HANG_MS,
    onExit,
  });
  return {
    read: (document) => thread.call('read', document),
    readDocuments: (request) => thread.call('readDocuments', request),
    terminate: () => thread.terminate(),
  };
}

/**
 * Reads documents into passages, in threads that are there while they are needed: one for short documents and one for long
 * ones, of which some businesses have twenty. Of those that wait the shortest is next, so that whoever asks an agent of a
 * page or two waits neither for a book nor for many.
 */
export class DocumentReaders {
  readonly #short: Line;
  readonly #long: Line;

  /** @param start starts a thread that reads */
  constructor(start = startReader) {
    this.#short = new Line(start);
    this.#long = new Line(start);
  }

  /** @returns the passages of an agent's own information, serialized. @throws what reading throws */
  read({ language, companyInfo: information, prompts }: AgentProfile): Promise<Uint8Array> {
    const size = prompts.reduce((sum, prompt) => sum + prompt.length, information.length);
    return this.#inTurn(size, (reader) => reader.read({ language, information, prompts: [...prompts] }));
  }

  /** @returns the passages of each document, serialized. @throws what reading throws */
  readDocuments(language: string, documents: readonly AgentDocument[]): Promise<Uint8Array[]> {
    const size = documents.reduce((sum, document) => sum + charactersOf(document), 0);
    return this.#inTurn(size, (reader) => reader.readDocuments({ language, documents }));
  }

  #inTurn<T>(size: number, read: (reader: Reader) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const line = size <= SHORT ? this.#short : this.#long;
      line.add({
        size,
        read: (reader) => read(reader).then(resolve, reject),
        giveUp: () => reject(new Error('No more documents are read.')),
      });
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#short.close(), this.#long.close()]);
  }
}

/** Documents that are read one after the other, by a thread. */
class Line {
  readonly #start: typeof startReader;
  readonly #waiting: Waiting[] = [];
  #thread: Reader | null = null;
  #leaving: NodeJS.Timeout | undefined;
  #isReading = false;

  constructor(start: typeof startReader) {
    this.#start = start;
  }

  add(document: Waiting): void {
    this.#waiting.push(document);
    void this.#work();
  }

  async close(): Promise<void> {
    for (const { giveUp } of this.#waiting.splice(0)) giveUp();
    await this.#dismiss();
  }

  async #dismiss(): Promise<void> {
    clearTimeout(this.#leaving);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
  }

  async #work(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    clearTimeout(this.#leaving);
    for (let next = this.#next(); next; next = this.#next()) await next.read(this.#reader());
    this.#isReading = false;
    this.#leaving = setTimeout(() => void this.#dismiss(), IDLE_MS).unref();
  }

  #next(): Waiting | undefined {
    const least = Math.min(...this.#waiting.map(({ size }) => size));
    const place = this.#waiting.findIndex(({ size }) => size === least);
    return place < 0 ? undefined : this.#waiting.splice(place, 1)[0];
  }

  #reader(): Reader {
    if (this.#thread) return this.#thread;
    const thread: Reader = this.#start(() => {
      if (this.#thread === thread) this.#thread = null;
    });
    this.#thread = thread;
    return thread;
  }
}

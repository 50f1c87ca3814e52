import { setMaxListeners } from 'node:events';
import { FairTurns } from '#server/lib/fair-turns';
import { startWorkerThread } from '#server/threads/worker-thread';
import type { AgentDocument, AgentProfile } from '../contract.ts';
import { instructionsOf } from '../instructions.ts';
import type { ReadDraft } from '../writing-help/read-draft.ts';
import type { PassagesMethods, ReadDocument, ShownPassages } from './passages.worker.ts';
import type { Information } from './read-knowledge.ts';

/** Characters read in a tenth of a second: shorter documents never wait for a longer one. */
const SHORT = 10_000;
/** A thread ends when it was unused for so long, in milliseconds. */
const IDLE_MS = 30_000;
/** A document is read in one go. */
const HANG_MS = 30_000;
/** A thread reads one at a time. */
const TURNS = { places: 1, placesPerAccount: 1, patientPlaces: 1 };

export const charactersOf = ({ parts }: AgentDocument): number =>
  parts.reduce((sum, { text }) => sum + text.length, 0);

/** The account of an agent; an agent without an owner is an account of its own. */
export const accountOf = ({ ownerId, id }: AgentProfile): string => ownerId ?? id;

const sizeOf = ({ companyInfo, prompts }: AgentProfile): number =>
  prompts.reduce((sum, prompt) => sum + prompt.length, companyInfo.length);

function informationOf(agent: AgentProfile): Information {
  const { answers, neverSays } = instructionsOf(agent);
  const { language, companyInfo, prompts } = agent;
  return { language, information: companyInfo, prompts, answers, neverSays };
}

/** A reading thread. */
interface Reader {
  read(document: Parameters<PassagesMethods['read']>[0]): Promise<Uint8Array>;
  readDocuments(request: Parameters<PassagesMethods['readDocuments']>[0]): Promise<ReadDocument[]>;
  show(passages: Uint8Array): Promise<ShownPassages>;
  readDraft(draft: Parameters<PassagesMethods['readDraft']>[0]): Promise<ReadDraft>;
  terminate(): Promise<void>;
}

function startReader(onExit: () => void): Reader {
  const thread = startWorkerThread<PassagesMethods>(import.meta.url, './passages.worker', {
    hangMs: HANG_MS,
    onExit,
  });
  return {
    read: (document) => thread.call('read', document),
    readDocuments: (request) => thread.call('readDocuments', request),
    show: (passages) => thread.call('show', { passages }),
    readDraft: (draft) => thread.call('readDraft', draft),
    terminate: () => thread.terminate(),
  };
}

/**
 * Reads documents into passages, in threads that exist while needed: one for short documents and one for long ones.
 * Accounts take turns in each, so that none waits for all documents of another.
 */
export class DocumentReaders {
  readonly #short: Line;
  readonly #long: Line;

  /** @param start starts a reading thread */
  constructor(start = startReader) {
    this.#short = new Line(start);
    this.#long = new Line(start);
  }

  /** @returns the passages of an agent's own information, serialized. @throws errors of reading */
  read(agent: AgentProfile): Promise<Uint8Array> {
    return this.#line(sizeOf(agent)).read(accountOf(agent), (reader) => reader.read(informationOf(agent)));
  }

  /** @returns hints on that information by words alone. @throws errors of reading */
  readDraft(agent: AgentProfile): Promise<ReadDraft> {
    return this.#line(sizeOf(agent)).read(accountOf(agent), (reader) =>
      reader.readDraft(informationOf(agent)),
    );
  }

  /** @param account their owner @returns the passages of each document. @throws errors of reading */
  readDocuments(
    account: string,
    language: string,
    documents: readonly AgentDocument[],
  ): Promise<ReadDocument[]> {
    const size = documents.reduce((sum, document) => sum + charactersOf(document), 0);
    return this.#line(size).read(account, (reader) => reader.readDocuments({ language, documents }));
  }

  /** @param account the document's owner @returns the texts of its passages. @throws errors of reading */
  show(account: string, { passages }: ReadDocument): Promise<ShownPassages> {
    return this.#line(passages.byteLength).read(account, (reader) => reader.show(passages));
  }

  #line(size: number): Line {
    return size <= SHORT ? this.#short : this.#long;
  }

  async close(): Promise<void> {
    await Promise.all([this.#short.close(), this.#long.close()]);
  }
}

/** Documents read one after another by a thread. */
class Line {
  readonly #start: typeof startReader;
  readonly #turns = new FairTurns(TURNS);
  readonly #closing = new AbortController();
  #thread: Reader | null = null;
  #leaving: NodeJS.Timeout | undefined;
  #asked = 0;

  constructor(start: typeof startReader) {
    this.#start = start;
    // Every waiting task listens to it.
    setMaxListeners(0, this.#closing.signal);
  }

  async read<T>(account: string, ask: (reader: Reader) => Promise<T>): Promise<T> {
    clearTimeout(this.#leaving);
    this.#asked++;
    try {
      return await this.#turns.run({ account }, () => ask(this.#reader()), this.#closing.signal);
    } finally {
      this.#asked--;
      if (this.#asked === 0) this.#leaving = setTimeout(() => void this.#dismiss(), IDLE_MS).unref();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('No more documents are read.'));
    await this.#dismiss();
  }

  async #dismiss(): Promise<void> {
    clearTimeout(this.#leaving);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
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

import { setImmediate as breathe } from 'node:timers/promises';
import type { Logger } from 'pino';
import { contentHash, type ReadingEngine, type VectorFiles } from '#server/engines/reading/contract';
import { timed } from '#server/telemetry/timeline';
import { startWorkerThread, WorkerStopped, type WorkerThread } from '#server/threads/worker-thread';
import type { AgentDocument, AgentProfile, DocumentPassage } from '../contract.ts';
import type { ReadDraft } from '../writing-help/read-draft.ts';
import { accountOf, charactersOf, DocumentReaders } from './document-readers.ts';
import type { KnowledgeMethods } from './knowledge.worker.ts';
import type { ReadDocument } from './passages.worker.ts';
import type { Query, SearchResult } from './search-index.ts';

/** Indexes kept at once; the least recently used goes first. */
const MAX_SHELVES = 64;
/** Characters indexed at once, for agents that take more than an equal share of it. */
const MAX_CHARACTERS = 3_000_000;
/** Passages whose vectors are sent together, so that they count soon and do not block the thread. */
const BATCH = 16;
/** Texts hashed in a row, a millisecond or two, before other work runs. */
const HASHES_IN_A_ROW = 500;

/** The longest step of searching or indexing takes a hundredth of it. */
const HANG_MS = 10_000;

interface Shelf {
  key: string;
  /** Counts the indexes made. */
  made: number;
  agentId: string;
  isDraft: boolean;
  /** For a draft: the agent it is based on. */
  like: string | null;
  /** The agent whose stored vectors it starts with; null: none. */
  vectorsOf: string | null;
  /** Characters of its knowledge. */
  size: number;
  /** The texts that need vectors, and the places of those that have theirs at once. */
  indexed: Promise<{ texts: string[]; filled: number[] }>;
  hasVectors: boolean;
  filling: Promise<void> | null;
  stop: AbortController;
}

/** The agents' knowledge, read and indexed once per revision in threads; vectors follow as soon as they are made. */
export interface Library {
  /** Resolves when the agent's knowledge can be searched; vectors may still be missing. */
  prepare(agent: AgentProfile): Promise<void>;
  /** Resolves when the vectors are complete, or cannot be made. @returns whether they are complete */
  complete(agent: AgentProfile): Promise<boolean>;
  /** Hints on an agent's own information by words alone, without its documents. */
  readDraft(agent: AgentProfile): Promise<ReadDraft>;
  /** A document's passages for an agent of this language. @param account its owner */
  passagesOf(account: string, document: AgentDocument, language: string): Promise<DocumentPassage[]>;
  /** The number of those passages. */
  countPassages(account: string, document: AgentDocument, language: string): Promise<number>;
  search(
    agent: AgentProfile,
    queries: readonly Query[],
    count: number,
    signal: AbortSignal,
  ): Promise<SearchResult[]>;
  /** Customers' texts, with typing errors in the business's words corrected. */
  spelled(agent: AgentProfile, texts: readonly string[], signal: AbortSignal): Promise<string[]>;
  /** Drops one revision's index. */
  forget(agent: Pick<AgentProfile, 'id' | 'revision'>): void;
  /** Drops all data of an agent, also on disk. Never rejects. */
  forgetAgent(agentId: string): Promise<void>;
  close(): Promise<void>;
}

/** Documents sent to the thread together, and their characters. */
const DOCUMENTS_AT_ONCE = 50;
const CHARACTERS_AT_ONCE = 200_000;
/** Serialized passages kept: of some ten million characters. */
const MAX_READ_BYTES = 48_000_000;

const documentKey = ({ id, revision }: AgentDocument, language: string) => `${language}:${id}@${revision}`;

const keyOf = (agent: Pick<AgentProfile, 'id' | 'revision'>) => `${agent.id}@${agent.revision}`;

export interface LibraryOptions {
  /** Stores vectors over restarts, by their text, so that an edit computes only changed ones. */
  kept?: VectorFiles | undefined;
  logger?: Pick<Logger, 'warn'> | undefined;
  /** Characters indexed at once. Default 3 million. */
  maxCharacters?: number;
  /** Starts the thread that holds and searches the indexes. */
  startThread?: typeof startSearcher;
}

export const startSearcher = (onExit: () => void): WorkerThread<KnowledgeMethods> =>
  startWorkerThread<KnowledgeMethods>(import.meta.url, './knowledge.worker', { onExit, hangMs: HANG_MS });

export function openLibrary(
  reading: ReadingEngine | null,
  { kept, logger, maxCharacters = MAX_CHARACTERS, startThread = startSearcher }: LibraryOptions = {},
): Library {
  const shelves = new Map<string, Shelf>();
  /** Deleted agents: a call that continues must not write their file again. */
  const deleted = new Set<string>();
  let searcher: WorkerThread<KnowledgeMethods> | null = null;
  let indexes = 0;
  const readers = new DocumentReaders();
  /** Passages of documents, so that a new document does not have all others read again. */
  const readBefore = new Map<string, ReadDocument>();

  const search = () => {
    // Its indexes are lost with it; the next question starts another thread.
    searcher ??= startThread(() => {
      searcher = null;
      for (const shelf of shelves.values()) shelf.stop.abort();
      shelves.clear();
    });
    return searcher;
  };

  /** An agent's knowledge, its own information first; documents read before are not read again. */
  const readAll = async (agent: AgentProfile) => {
    const own = readers.read(agent);
    own.catch(() => {});
    const theirs = (await agent.documents?.()) ?? [];
    const read = await readDocuments(accountOf(agent), theirs, agent.language);
    const passages = [await own, ...read.map((document) => document.passages)];
    return { passages, characters: theirs.reduce((sum, document) => sum + charactersOf(document), 0) };
  };

  const readDocuments = async (
    account: string,
    all: readonly AgentDocument[],
    language: string,
  ): Promise<ReadDocument[]> => {
    const found = all.map((document) => readBefore.get(documentKey(document, language)));
    const missing = all.filter((_, at) => found[at] === undefined);
    for (let from = 0; from < missing.length; ) {
      // A long one alone, short ones together.
      const some = missing.slice(from, from + DOCUMENTS_AT_ONCE);
      let characters = 0;
      const batch = some.filter((document, at) => {
        characters += charactersOf(document);
        return at === 0 || characters <= CHARACTERS_AT_ONCE;
      });
      const read = await readers.readDocuments(account, language, batch);
      for (const [at, document] of batch.entries()) {
        const passages = read[at];
        if (!passages) continue;
        readBefore.set(documentKey(document, language), passages);
        found[all.indexOf(document)] = passages;
      }
      from += batch.length;
    }
    let bytes = 0;
    for (const { passages } of readBefore.values()) bytes += passages.byteLength;
    for (const [key, { passages }] of readBefore) {
      if (bytes <= MAX_READ_BYTES) break;
      readBefore.delete(key);
      bytes -= passages.byteLength;
    }
    return found.filter((each) => each !== undefined);
  };

  const shelfOf = (agent: AgentProfile): Shelf => {
    const key = keyOf(agent);
    const known = shelves.get(key);
    if (known) {
      shelves.delete(key);
      shelves.set(key, known);
      return known;
    }
    const { isDraft = false, basedOn } = agent;
    const shelf: Shelf = {
      key,
      made: indexes++,
      agentId: agent.id,
      isDraft,
      like: basedOn ? keyOf(basedOn) : null,
      vectorsOf: basedOn?.id ?? (isDraft ? null : agent.id),
      size: agent.prompts.reduce((sum, prompt) => sum + prompt.length, agent.companyInfo.length),
      indexed: readAll(agent).then(({ passages, characters }) => {
        shelf.size += characters;
        makeRoom(shelf);
        return search().call('index', { key, language: agent.language, passages, like: shelf.like });
      }),
      hasVectors: false,
      filling: null,
      stop: new AbortController(),
    };
    shelf.indexed.catch(() => {
      if (shelves.get(key) === shelf) shelves.delete(key);
    });
    shelves.set(key, shelf);
    makeRoom(shelf);
    return shelf;
  };

  /**
   * Drops the least recently used indexes, but none newer than this one, and not its base. For characters it drops only
   * indexes above an equal share: otherwise large agents would push out all small ones.
   */
  const makeRoom = (shelf: Shelf) => {
    let characters = [...shelves.values()].reduce((sum, { size }) => sum + size, 0);
    for (const old of shelves.values()) {
      const areTooMany = shelves.size > MAX_SHELVES;
      if (old === shelf || (!areTooMany && characters <= maxCharacters)) break;
      const isSmall = old.size <= maxCharacters / MAX_SHELVES;
      if (old.key === shelf.like || (isSmall && !areTooMany)) continue;
      characters -= old.size;
      drop(old);
    }
  };

  const drop = (shelf: Shelf) => {
    shelves.delete(shelf.key);
    shelf.stop.abort();
    // After a running indexing, which would write it back.
    shelf.indexed
      .then(() => (shelves.has(shelf.key) ? undefined : searcher?.call('drop', { key: shelf.key })))
      .catch(() => {});
  };

  /** Gives every text its vector: stored ones at once, new ones in small batches. */
  const fill = async (shelf: Shelf, engine: ReadingEngine, signal: AbortSignal) => {
    const { texts, filled } = await shelf.indexed;
    const isFilled = new Set(filled);
    const hashes: string[] = [];
    for (const text of texts) {
      hashes.push(contentHash(text));
      if (hashes.length % HASHES_IN_A_ROW === 0) await breathe();
    }
    const file = shelf.isDraft ? undefined : kept;
    const known = shelf.vectorsOf
      ? ((await kept?.load(shelf.vectorsOf, engine.revision)) ?? new Map<string, Float32Array>())
      : new Map<string, Float32Array>();
    const hand = async (places: number[], vectors: Float32Array[]) => {
      const joined = new Float32Array(vectors.length * engine.dimensions);
      for (const [n, vector] of vectors.entries()) joined.set(vector, n * engine.dimensions);
      await search().call('vectors', { key: shelf.key, places, vectors: joined }, signal);
    };
    const made = new Map<string, Float32Array>();
    const places = texts.map((_, at) => at).filter((at) => !isFilled.has(at));
    const here = places.filter((at) => known.has(hashes[at] ?? ''));
    // In batches: copying megabytes at once would block the main thread.
    for (let from = 0; from < here.length; from += 20 * BATCH) {
      const some = here.slice(from, from + 20 * BATCH);
      await hand(
        some,
        some.flatMap((at) => known.get(hashes[at] ?? '') ?? []),
      );
    }
    /** Places of each text without a vector; a text may have several. */
    const missing = new Map<string, number[]>();
    for (const [at, hash] of hashes.entries())
      if (!isFilled.has(at) && !known.has(hash)) missing.set(hash, [...(missing.get(hash) ?? []), at]);
    const save = async () => {
      if (!file || deleted.has(shelf.agentId)) return;
      if (made.size === 0 && known.size === new Set(hashes).size) return;
      const all = [...new Set(hashes)].flatMap((hash): [string, Float32Array][] => {
        const vector = made.get(hash) ?? known.get(hash);
        return vector ? [[hash, vector]] : [];
      });
      await file.save(shelf.agentId, engine.revision, all);
    };
    try {
      const waiting = [...missing];
      for (let from = 0; from < waiting.length; from += BATCH) {
        const some = waiting.slice(from, from + BATCH);
        const vectors = await engine.embed(
          some.map(([, [at = 0]]) => texts[at] ?? ''),
          { urgency: 'index', signal, following: waiting.length - from - some.length },
        );
        for (const [n, [hash]] of some.entries()) {
          const vector = vectors[n];
          if (vector) made.set(hash, vector);
        }
        const all = some.flatMap(([hash, at]) => at.map((place) => ({ place, vector: made.get(hash) })));
        await hand(
          all.map(({ place }) => place),
          all.flatMap(({ vector }) => vector ?? []),
        );
      }
      shelf.hasVectors = true;
    } finally {
      // When cancelled, the vectors so far are stored for the agent's next state.
      if (shelf.hasVectors || made.size > 0) await save();
    }
  };

  const startFilling = (shelf: Shelf): Promise<void> => {
    // A loading encoder is awaited; a failed one is asked again with the next question.
    if (shelf.hasVectors || !reading || reading.status().state === 'failed')
      return shelf.filling ?? Promise.resolve();
    // Vectors that an earlier state is still making are reused for common texts.
    if (shelf.filling) return shelf.filling;
    const earlier = [...shelves.values()].filter(
      ({ agentId, made, filling }) => agentId === shelf.agentId && made < shelf.made && filling !== null,
    );
    for (const other of earlier) {
      other.stop.abort();
      other.stop = new AbortController();
    }
    const { signal } = shelf.stop;
    shelf.filling = Promise.all(earlier.map(({ filling }) => filling))
      .then(() => fill(shelf, reading, signal))
      .catch((error: unknown) => {
        // Cancelled on purpose when the index is dropped or the dialogue closes.
        if (!signal.aborted) logger?.warn({ err: error }, 'Vectors of an agent could not be made');
      })
      .finally(() => {
        shelf.filling = null;
      });
    return shelf.filling;
  };

  /** Queries an index; rebuilds it if it, or its thread, was lost in the meantime. */
  const askIndex = async <A>(agent: AgentProfile, ask: (key: string) => Promise<A | null>): Promise<A> => {
    const once = async () => {
      try {
        const shelf = shelfOf(agent);
        await shelf.indexed;
        void startFilling(shelf);
        return await ask(shelf.key);
      } catch (error) {
        if (error instanceof WorkerStopped) return null;
        throw error;
      }
    };
    const answer = (await once()) ?? (await once());
    if (!answer) throw new Error('The index of an agent is gone.');
    return answer;
  };

  return {
    async prepare(agent) {
      const shelf = shelfOf(agent);
      await shelf.indexed;
      void startFilling(shelf);
    },
    async complete(agent) {
      const shelf = shelfOf(agent);
      await shelf.indexed;
      await startFilling(shelf);
      return shelf.hasVectors;
    },
    readDraft: (agent) => readers.readDraft(agent),
    async passagesOf(account, document, language) {
      const [read] = await readDocuments(account, [document], language);
      if (!read) return [];
      const { headings, texts } = await readers.show(account, read);
      return texts.map((text, at) => ({ heading: headings[at] ?? '', text }));
    },
    async countPassages(account, document, language) {
      const [read] = await readDocuments(account, [document], language);
      return read?.count ?? 0;
    },
    search: (agent, queries, count, signal) =>
      timed('search', () =>
        askIndex(agent, (key) => search().call('search', { key, queries, count }, signal)),
      ),
    spelled: (agent, texts, signal) =>
      askIndex(agent, (key) => search().call('spelled', { key, language: agent.language, texts }, signal)),
    forget(agent) {
      const shelf = shelves.get(keyOf(agent));
      if (shelf) drop(shelf);
    },
    async forgetAgent(agentId) {
      deleted.add(agentId);
      for (const shelf of shelves.values()) if (shelf.agentId === agentId) drop(shelf);
      try {
        await kept?.forget(agentId);
      } catch (error) {
        logger?.warn({ err: error }, 'Vectors of a deleted agent could not be removed');
      }
    },
    async close() {
      const filling = [...shelves.values()].map((shelf) => shelf.filling);
      for (const shelf of shelves.values()) shelf.stop.abort();
      shelves.clear();
      await Promise.all([searcher?.terminate(), readers.close()]);
      // Finishes files being written.
      await Promise.all(filling);
    },
  };
}

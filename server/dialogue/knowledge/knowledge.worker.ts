import { deserialize } from 'node:v8';
import { isKnownWord } from '#server/engines/reading/contract';
import { packOf } from '#server/languages/index';
import { serveWorkerThread } from '#server/threads/worker-thread';
import { type Passage, passageText } from '../passages/contract.ts';
import { type Query, SearchIndex, type SearchResult } from './search-index.ts';
import { spellingOf } from './spelling.ts';

const shelves = new Map<string, SearchIndex>();
/** Created for the first text of an index. */
const spellings = new Map<string, ReturnType<typeof spellingOf>>();
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

const methods = {
  /**
   * Indexes serialized passages, piece by piece; returns the texts that need vectors, and the places of those that have
   * theirs from another index.
   */
  async index({
    key,
    language,
    passages,
    like,
  }: {
    key: string;
    language: string;
    passages: readonly Uint8Array[];
    /** An index that shares most of its texts. */
    like: string | null;
  }): Promise<{ texts: string[]; filled: number[] }> {
    const read: Passage[] = [];
    const other = like === null ? undefined : shelves.get(like);
    for (const [at, piece] of passages.entries()) {
      if (at % 50 === 49) await pause();
      const some: readonly Passage[] = deserialize(piece);
      for (const passage of some) read.push({ ...passage, id: read.length });
    }
    const index = await SearchIndex.build(read, packOf(language).words, pause);
    shelves.set(key, index);
    spellings.delete(key);
    return { texts: index.texts, filled: other ? index.takeVectors(other) : [] };
  },

  vectors(args: { key: string; places: readonly number[]; vectors: Float32Array }): void {
    shelves.get(args.key)?.setVectors(args.places, args.vectors);
  },

  /** Null if the index is gone. */
  search(args: { key: string; queries: readonly Query[]; count: number }): SearchResult[] | null {
    const index = shelves.get(args.key);
    return index ? args.queries.map((query) => index.search(query, args.count)) : null;
  },

  /** Texts with typing errors corrected; null if the index is gone. */
  spelled({
    key,
    language,
    texts,
  }: {
    key: string;
    language: string;
    texts: readonly string[];
  }): string[] | null {
    const index = shelves.get(key);
    if (!index) return null;
    const read =
      spellings.get(key) ??
      spellingOf(() => index.passages.map(passageText), packOf(language).words, isKnownWord);
    spellings.set(key, read);
    return texts.map(read);
  },

  drop({ key }: { key: string }): void {
    shelves.delete(key);
    spellings.delete(key);
  },
};

export type KnowledgeMethods = typeof methods;

serveWorkerThread(methods);

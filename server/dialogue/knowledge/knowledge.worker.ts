import { deserialize } from 'node:v8';
import { packOf } from '#server/languages/index';
import { serveWorkerThread } from '#server/worker-thread';
import type { Passage } from '../passages/contract.ts';
import { type Query, SearchIndex, type SearchResult } from './search-index.ts';

const shelves = new Map<string, SearchIndex>();
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

const methods = {
  /**
   * Indexes serialized passages, piece by piece; answers the texts that vectors are to be made of, and the places of those
   * that have theirs from another index.
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
    /** An index that most of it stands in, too. */
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
    return { texts: index.texts, filled: other ? index.takeVectors(other) : [] };
  },

  vectors(args: { key: string; places: readonly number[]; vectors: Float32Array }): void {
    shelves.get(args.key)?.setVectors(args.places, args.vectors);
  },

  /** Null where the index is gone. */
  search(args: { key: string; queries: readonly Query[]; count: number }): SearchResult[] | null {
    const index = shelves.get(args.key);
    return index ? args.queries.map((query) => index.search(query, args.count)) : null;
  },

  drop({ key }: { key: string }): void {
    shelves.delete(key);
  },
};

export type KnowledgeMethods = typeof methods;

serveWorkerThread(methods);

import { deserialize, serialize } from 'node:v8';
import { packOf } from '#server/languages/index';
import { serveWorkerThread, Transfer } from '#server/threads/worker-thread';
import type { AgentDocument } from '../contract.ts';
import { type Passage, passageText } from '../passages/contract.ts';
import { type ReadDraft, readDraft } from '../writing-help/read-draft.ts';
import { type Information, readDocument, readKnowledge } from './read-knowledge.ts';

/** The passages of a document. */
export interface ReadDocument {
  /** Serialized. */
  passages: Uint8Array;
  count: number;
}

/** Passages as people read them, their headings and their texts: two long lists are handed over faster than one of pairs. */
export interface ShownPassages {
  headings: string[];
  texts: string[];
}

const methods = {
  /** The passages, serialized: who passes them on to another thread need not unpack them. */
  read(written: Information): Transfer<Uint8Array> {
    return packed(readKnowledge(written, packOf(written.language)));
  },

  /** What words alone show its writer of it. */
  readDraft(written: Information): ReadDraft {
    const pack = packOf(written.language);
    return readDraft(readKnowledge(written, pack), pack);
  },

  /** The passages of each document, as above. */
  readDocuments({
    language,
    documents,
  }: {
    language: string;
    documents: readonly AgentDocument[];
  }): Transfer<ReadDocument[]> {
    const all = documents.map((document) => {
      const passages = readDocument(document, packOf(language));
      return { ...packed(passages), count: passages.length };
    });
    return new Transfer(
      all.map(({ value, count }) => ({ passages: value, count })),
      all.flatMap(({ buffers }) => buffers),
    );
  },

  /** What a document's passages say, without its own title. */
  show({ passages }: { passages: Uint8Array }): ShownPassages {
    const read: readonly Passage[] = deserialize(passages);
    return {
      headings: read.map(({ headings }) => headings.slice(1).join(' › ')),
      texts: read.map((passage) => passageText({ ...passage, headings: [] })),
    };
  },
};

function packed(passages: readonly Passage[]): Transfer<Uint8Array> {
  const bytes = Uint8Array.from(serialize(passages));
  return new Transfer(bytes, [bytes.buffer]);
}

export type PassagesMethods = typeof methods;

serveWorkerThread(methods);

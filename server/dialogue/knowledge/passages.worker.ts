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

/** Headings and texts of passages for people: two long lists transfer faster than one list of pairs. */
export interface ShownPassages {
  headings: string[];
  texts: string[];
}

const methods = {
  /** The passages, serialized, so that they can be passed to another thread without unpacking. */
  read(written: Information): Transfer<Uint8Array> {
    return packed(readKnowledge(written, packOf(written.language)));
  },

  /** Hints for the writer by words alone. */
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

  /** The texts of a document's passages, without its own title. */
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

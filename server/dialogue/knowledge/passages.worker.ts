import { serialize } from 'node:v8';
import { packOf } from '#server/languages/index';
import { serveWorkerThread, Transfer } from '#server/worker-thread';
import type { AgentDocument } from '../contract.ts';
import type { Passage } from '../passages/contract.ts';
import { readDocument, readKnowledge } from './read-knowledge.ts';

const methods = {
  /** The passages, serialized: who passes them on to another thread need not unpack them. */
  read({
    language,
    information,
    prompts,
  }: {
    language: string;
    information: string;
    prompts: readonly string[];
  }): Transfer<Uint8Array> {
    return packed(readKnowledge(information, prompts, packOf(language)));
  },

  /** The passages of each document, as above. */
  readDocuments({
    language,
    documents,
  }: {
    language: string;
    documents: readonly AgentDocument[];
  }): Transfer<Uint8Array[]> {
    const all = documents.map((document) => packed(readDocument(document, packOf(language))));
    return new Transfer(
      all.map(({ value }) => value),
      all.flatMap(({ buffers }) => buffers),
    );
  },
};

function packed(passages: readonly Passage[]): Transfer<Uint8Array> {
  const bytes = Uint8Array.from(serialize(passages));
  return new Transfer(bytes, [bytes.buffer]);
}

export type PassagesMethods = typeof methods;

serveWorkerThread(methods);

import { serialize } from 'node:v8';
import { packOf } from '#server/languages/index';
import { serveWorkerThread, Transfer } from '#server/worker-thread';
import { readKnowledge } from './read-knowledge.ts';

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
    const bytes = Uint8Array.from(serialize(readKnowledge(information, prompts, packOf(language))));
    return new Transfer(bytes, [bytes.buffer]);
  },
};

export type PassagesMethods = typeof methods;

serveWorkerThread(methods);

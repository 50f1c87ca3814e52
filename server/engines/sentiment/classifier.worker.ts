import { readFileSync } from 'node:fs';
import { serveWorkerThread } from '#server/worker-thread';
import type { MessageSentiment } from './contract.ts';
import { readModel, SentimentModel } from './model.ts';

const model = new SentimentModel(readModel(readFileSync(new URL('./model.bin', import.meta.url))));

/** What the words of a text say, and their sums where its meaning could say more. */
interface Impression {
  answer: MessageSentiment;
  unsure: number[] | null;
}

const methods = {
  /** @param revision of the vectors that `withMeaning` may get; null where there are none */
  first: ({ texts, revision }: { texts: readonly string[]; revision: string | null }): Impression[] =>
    texts.map((text) => {
      const first = model.first(text);
      const isUnsure = revision !== null && model.needsMeaning(first, revision);
      return { answer: first.answer, unsure: isUnsure ? first.sums : null };
    }),
  withMeaning: (unsure: readonly { sums: readonly number[]; vector: Float32Array }[]): MessageSentiment[] =>
    unsure.map(({ sums, vector }) => model.withMeaning(sums, vector)),
};

export type ClassifierMethods = typeof methods;

serveWorkerThread(methods);

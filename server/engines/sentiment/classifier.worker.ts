import { readFileSync } from 'node:fs';
import type { Danger } from '#server/languages/messages';
import { serveWorkerThread } from '#server/threads/worker-thread';
import type { MessageSentiment } from './contract.ts';
import { chanceOf, type FirstImpression, readModel, SentimentModel } from './model.ts';
import { readFor, sentencesFor, trainedFor } from './trained-for.ts';

const nothing: FirstImpression = { answer: { label: 'neutral', score: 1 }, sums: null };

/** A danger is told in the first so many characters. */
const LOOKED_AT = 600;

const model = new SentimentModel(readModel(readFileSync(new URL('./model.bin', import.meta.url))));

/** What the words of a text say, and their sums where its meaning could say more. */
interface Impression {
  answer: MessageSentiment;
  unsure: number[] | null;
  /** The chance of being urgent, by its words; null where nothing can be said, as of another language. */
  urgency: number | null;
  /** What the rules of the language say of danger. */
  danger: Danger | null;
  /** Sentences that are read for danger by themselves. */
  sentences: string[];
}

const methods = {
  /** @param revision of the vectors that `withMeaning` may get; null where there are none */
  first: ({ texts, revision }: { texts: readonly string[]; revision: string | null }): Impression[] =>
    texts.map((text) => {
      // A dictated number has no mood.
      const first = trainedFor.isNumber(text) ? nothing : model.first(text);
      const isUnsure = revision !== null && model.needsMeaning(first, revision);
      return {
        answer: first.answer,
        unsure: isUnsure ? first.sums : null,
        urgency: first.sums ? chanceOf('urgent', first.sums) : null,
        danger: readFor(text.slice(0, LOOKED_AT)).danger,
        sentences: sentencesFor(text),
      };
    }),
  withMeaning: (unsure: readonly { sums: readonly number[]; vector: Float32Array }[]): MessageSentiment[] =>
    unsure.map(({ sums, vector }) => model.withMeaning(sums, vector)),
};

export type ClassifierMethods = typeof methods;

serveWorkerThread(methods);

import { readFileSync } from 'node:fs';
import type { Danger } from '#server/languages/messages';
import { serveWorkerThread } from '#server/threads/worker-thread';
import type { MessageSentiment } from './contract.ts';
import { chanceOf, type FirstImpression, readModel, SentimentModel } from './model.ts';
import { readFor, sentencesFor, trainedFor } from './trained-for.ts';

const nothing: FirstImpression = { answer: { label: 'neutral', score: 1 }, sums: null };

/** Characters that are checked for danger; a danger is stated early. */
const LOOKED_AT = 600;

const model = new SentimentModel(readModel(readFileSync(new URL('./model.bin', import.meta.url))));

/** The result of a text's words, with their sums if its meaning could change it. */
interface Impression {
  answer: MessageSentiment;
  unsure: number[] | null;
  /** Probability of urgency by words; null if undetermined, e.g. in another language. */
  urgency: number | null;
  /** Result of the language's danger rules. */
  danger: Danger | null;
  /** Sentences to check for danger individually. */
  sentences: string[];
}

const methods = {
  /** @param revision of the vectors that `withMeaning` may get; null without vectors */
  first: ({ texts, revision }: { texts: readonly string[]; revision: string | null }): Impression[] =>
    texts.map((text) => {
      // A dictated number has no sentiment.
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

import { readFileSync } from 'node:fs';
import { serveWorkerThread } from '#server/worker-thread';
import type { MessageSentiment } from './contract.ts';
import { readModel, SentimentModel } from './model.ts';

const model = new SentimentModel(readModel(readFileSync(new URL('./model.bin', import.meta.url))));

const methods = {
  analyse: ({ texts }: { texts: readonly string[] }): MessageSentiment[] =>
    texts.map((text) => model.classify(text)),
};

export type ClassifierMethods = typeof methods;

serveWorkerThread(methods);

import { availableParallelism, freemem, totalmem } from 'node:os';
import process from 'node:process';
import type { ListedModel } from '#server/settings/own-models';

/** Tokens of conversation that llama.cpp keeps room for, of all calls together. */
export const CONTEXT_TOKENS = 8_192;
/** What it needs besides weights and conversation: for computing, in bytes. */
const COMPUTING_BYTES = 400_000_000;
/** Of a file of which nothing else is known, what a conversation takes at most beside its weights. */
const CONVERSATION_SHARE = 0.25;

/** What a turn has a model read that it has not read before: its passages, what was said, the question. */
const NEW_TOKENS = 500;
/** A sentence begins to be said when it is whole. */
const FIRST_SENTENCE_TOKENS = 18;
/**
 * Weights times tokens for each second of a core, in billions. Reading was measured with a model of 135 million weights
 * (docs/engines.md); writing waits for memory the more, the larger a model is, and gains nothing from more cores than these.
 */
const READING = 24;
const WRITING = 8;
const MOST_WRITERS = 8;

export interface Machine {
  cores: number;
  /** Bytes in all, and those that a program may have now. */
  memory: number;
  freeMemory: number;
}

/** A container's limits count where there are any. */
export function thisMachine(): Machine {
  const limit = process.constrainedMemory?.() ?? 0;
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const freeMemory = process.availableMemory?.() ?? freemem();
  return { cores: availableParallelism(), memory, freeMemory: Math.min(freeMemory, memory) };
}

/** As many as compute for it: one is left for speech where there are more than two. */
export const threadsOn = (cores: number): number => (cores > 2 ? cores - 1 : cores);

/** Bytes of memory that a model takes while it runs. */
export const memoryOf = ({ bytes, bytesPerToken }: { bytes: number; bytesPerToken?: number }): number =>
  bytes +
  COMPUTING_BYTES +
  (bytesPerToken === undefined ? bytes * CONVERSATION_SHARE : bytesPerToken * CONTEXT_TOKENS);

/** How quick a model of the list is about to be on the processor of this machine. */
export function expectedOn({ cores }: Machine, { activeBillions }: ListedModel) {
  const threads = threadsOn(cores);
  const tokensPerSecond = (Math.min(threads, MOST_WRITERS) * WRITING) / activeBillions;
  const firstSentenceMs =
    ((NEW_TOKENS * activeBillions) / (threads * READING) + FIRST_SENTENCE_TOKENS / tokensPerSecond) * 1_000;
  return { firstSentenceMs: Math.round(firstSentenceMs), tokensPerSecond };
}

import { availableParallelism, freemem, totalmem } from 'node:os';
import process from 'node:process';
import type { ListedModel } from '#server/settings/own-models';

/** Context tokens that llama.cpp reserves, for all calls together. */
export const CONTEXT_TOKENS = 8_192;
/** Bytes it needs for computing, besides weights and context. */
const COMPUTING_BYTES = 400_000_000;
/** For an unknown file: the most that a context takes, as a share of the weights. */
const CONVERSATION_SHARE = 0.25;

/** New tokens that a model reads per turn: passages, last messages, the question. */
const NEW_TOKENS = 500;
/** Tokens of a first sentence; speech begins when it is complete. */
const FIRST_SENTENCE_TOKENS = 18;
/**
 * Billions of weights times tokens per second and core. Reading was measured with a model of 135 million
 * weights (docs/engines.md). Writing is bound by memory bandwidth, the more so the larger the model, and
 * gains nothing from more cores than these.
 */
const READING = 24;
const WRITING = 8;
const MOST_WRITERS = 8;

export interface Machine {
  cores: number;
  /** Bytes in total, and bytes available now. */
  memory: number;
  freeMemory: number;
}

/** Respects a container's limits. */
export function thisMachine(): Machine {
  const limit = process.constrainedMemory?.() ?? 0;
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const freeMemory = process.availableMemory?.() ?? freemem();
  return { cores: availableParallelism(), memory, freeMemory: Math.min(freeMemory, memory) };
}

/** Threads for the model: leaves one core for speech if there are more than two. */
export const threadsOn = (cores: number): number => (cores > 2 ? cores - 1 : cores);

/** Bytes of memory that a running model takes. */
export const memoryOf = ({ bytes, bytesPerToken }: { bytes: number; bytesPerToken?: number }): number =>
  bytes +
  COMPUTING_BYTES +
  (bytesPerToken === undefined ? bytes * CONVERSATION_SHARE : bytesPerToken * CONTEXT_TOKENS);

/** Expected speed of a listed model on this machine's processor. */
export function expectedOn({ cores }: Machine, { activeBillions }: ListedModel) {
  const threads = threadsOn(cores);
  const tokensPerSecond = (Math.min(threads, MOST_WRITERS) * WRITING) / activeBillions;
  const firstSentenceMs =
    ((NEW_TOKENS * activeBillions) / (threads * READING) + FIRST_SENTENCE_TOKENS / tokensPerSecond) * 1_000;
  return { firstSentenceMs: Math.round(firstSentenceMs), tokensPerSecond };
}

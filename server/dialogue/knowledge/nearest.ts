import { packOf } from '#server/languages/index';
import type { AgentProfile } from '../contract.ts';
import type { Passage } from '../passages/contract.ts';
import type { Knowing } from './find.ts';

/** Longer questions are cut, in characters: the encoders read no more. */
const MAX_QUESTION = 600;

/**
 * The passages nearest to a question, best first, by search only: for models that judge by themselves. A question that
 * may depend on the previous one is searched with and without it.
 * @param context the previous question; null without one
 */
export async function nearest(
  { library, reading }: Knowing,
  agent: AgentProfile,
  asked: { text: string; context: string | null },
  count: number,
  signal: AbortSignal,
): Promise<Passage[]> {
  const { leaning } = packOf(agent.language).questions;
  const texts = [asked.text.slice(0, MAX_QUESTION)];
  if (asked.context !== null && leaning(asked.text) !== 'no')
    texts.push(`${asked.context.slice(0, MAX_QUESTION / 2)} ${asked.text}`.slice(0, MAX_QUESTION));
  const vectors = await vectorsOf(reading, texts, signal);
  const queries = texts.map((text, n) => ({ text, vector: vectors?.[n] ?? null, under: null }));
  const results = await library.search(agent, queries, count, signal);
  const passages = new Map<number, Passage>();
  for (let place = 0; place < count; place++)
    for (const { candidates } of results) {
      const passage = candidates[place]?.passage;
      if (passage) passages.set(passage.id, passage);
    }
  return [...passages.values()].slice(0, count);
}

/** Null if the encoder is not ready, or fails: then only words are searched. */
async function vectorsOf(
  reading: Knowing['reading'],
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[] | null> {
  if (reading?.status().state !== 'ready') return null;
  try {
    return await reading.embed(texts, { as: 'question', signal });
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

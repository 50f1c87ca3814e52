import { packOf } from '#server/languages/index';
import type { AgentProfile } from '../contract.ts';
import type { Passage } from '../passages/contract.ts';
import type { Knowing } from './find.ts';

/** Longer questions are cut, in characters: the encoders read no more. */
const MAX_QUESTION = 600;

/**
 * The passages that lie nearest to a question, best first, by search alone: for who reads them and judges by itself. What
 * may lean on what was asked before is looked for with and without it.
 * @param context what was asked before; null where nothing was
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

/** Null where the encoder is not ready, or fails: words alone are searched by then. */
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

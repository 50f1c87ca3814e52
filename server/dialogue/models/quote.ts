import { packOf } from '#server/languages/index';
import { timeLimit } from '#server/wait';
import type { AgentProfile } from '../contract.ts';
import { chooseStatement, type Saying } from '../knowledge/choose.ts';
import type { Knowing } from '../knowledge/find.ts';
import { passageText } from '../passages/contract.ts';

/** Passages among which one that a sentence may rest on is looked for. */
const SEARCHED = 3;
/** Logits of the cross-encoder from which on a passage is what a sentence speaks of (docs/dialogue.md). */
const SPEAKS_OF_IT = -4;
/** What is not found by then is not quoted, in milliseconds: who waits hears nothing meanwhile. */
const QUOTE_WAIT_MS = 1_500;

/**
 * What the business itself says of what a sentence speaks of: it is said where the model's own words may not be.
 * @returns null where nothing is near enough, or meaning cannot be read in time
 * @throws the signal's reason
 */
export async function quoteFor(
  { library, reading }: Knowing,
  agent: AgentProfile,
  sentence: string,
  signal: AbortSignal,
): Promise<Saying | null> {
  if (reading?.status().state !== 'ready') return null;
  const wait = AbortSignal.any([signal, timeLimit(QUOTE_WAIT_MS)]);
  try {
    const [vector = null] = await reading.embed([sentence], { signal: wait });
    const query = { text: sentence, vector, under: null };
    const [result] = await library.search(agent, [query], SEARCHED, wait);
    const candidates = result?.candidates ?? [];
    const texts = candidates.map(({ passage }) => passageText(passage));
    const logits = await reading.relevance(sentence, texts, { signal: wait });
    const most = Math.max(...logits);
    const nearest = candidates[logits.indexOf(most)];
    if (!nearest || most < SPEAKS_OF_IT) return null;
    const asked = { question: sentence, words: sentence, vector, language: packOf(agent.language) };
    return await chooseStatement(asked, nearest, reading, wait);
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

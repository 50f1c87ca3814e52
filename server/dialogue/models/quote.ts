import type { LanguagePack } from '#server/languages/contract';
import { timeLimit } from '#server/lib/wait';
import type { AgentProfile } from '../contract.ts';
import { chooseStatement, type Saying } from '../knowledge/choose.ts';
import type { Knowing } from '../knowledge/find.ts';
import { passageText } from '../passages/contract.ts';

/** Passages searched for an answer. */
const SEARCHED = 3;
/** Cross-encoder logit above which a passage is relevant to a question (docs/dialogue.md). */
const BEARS_ON_IT = -1;
/** Time for finding a quotation, in milliseconds, since the customer hears nothing meanwhile. */
const QUOTE_WAIT_MS = 1_500;

/**
 * The business's own text on the customer's question, said if the model's own words may not be.
 * @returns null if no passage is near enough, or the encoder is too slow
 * @throws the signal's reason
 */
export async function quoteFor(
  { library, reading }: Knowing,
  agent: AgentProfile,
  { question, language }: { question: string; language: LanguagePack },
  signal: AbortSignal,
): Promise<Saying | null> {
  if (reading?.status().state !== 'ready') return null;
  const wait = AbortSignal.any([signal, timeLimit(QUOTE_WAIT_MS)]);
  try {
    const [vector = null] = await reading.embed([question], { signal: wait });
    const query = { text: question, vector, under: null };
    const [result] = await library.search(agent, [query], SEARCHED, wait);
    const candidates = result?.candidates ?? [];
    const texts = candidates.map(({ passage }) => passageText(passage));
    const logits = await reading.relevance(question, texts, { signal: wait });
    const most = Math.max(...logits);
    const nearest = candidates[logits.indexOf(most)];
    if (!nearest || most < BEARS_ON_IT) return null;
    const asked = { question, words: question, vector, language };
    return await chooseStatement(asked, nearest, reading, wait);
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

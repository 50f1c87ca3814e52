import type { LanguagePack } from '#server/languages/contract';
import { timeLimit } from '#server/lib/wait';
import type { AgentProfile } from '../contract.ts';
import { chooseStatement, type Saying } from '../knowledge/choose.ts';
import type { Knowing } from '../knowledge/find.ts';
import { passageText } from '../passages/contract.ts';

/** Passages among which one that answers is looked for. */
const SEARCHED = 3;
/** Logits of the cross-encoder from which on a passage bears on a question (docs/dialogue.md). */
const BEARS_ON_IT = -1;
/** What is not found by then is not quoted, in milliseconds: who waits hears nothing meanwhile. */
const QUOTE_WAIT_MS = 1_500;

/**
 * What the business itself says to what the customer asked: it is said where the model's own words may not be.
 * @returns null where nothing is near enough, or meaning cannot be read in time
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

import type { LanguagePack } from '#server/languages/contract';
import type { Citation } from '#shared/conversations';
import type { AgentProfile } from '../contract.ts';
import type { Knowing } from '../knowledge/find.ts';
import { nearest } from '../knowledge/nearest.ts';
import { citationOf } from '../passages/contract.ts';

/** Passages given to a model. */
const PASSAGES = 6;

/**
 * The passages for a model, best first, and their statements with headings.
 * @param asked the question, and the previous one
 */
export async function passagesFor(
  knowing: Knowing,
  agent: AgentProfile,
  { splitSentences }: Pick<LanguagePack, 'splitSentences'>,
  asked: { text: string; context: string | null },
  signal: AbortSignal,
): Promise<{ passages: Citation[]; statements: string[] }> {
  const near = await nearest(knowing, agent, asked, PASSAGES, signal);
  const passages = near.map((passage) =>
    citationOf(
      passage,
      [passage.lead, ...passage.statements.map(({ told }) => told)].filter(Boolean).join(' '),
      agent.companyName,
    ),
  );
  const statements = passages.flatMap(({ text, source }) =>
    splitSentences(text).map((each) => `${source}: ${each}`),
  );
  return { passages, statements };
}

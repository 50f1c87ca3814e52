import type { PastQuestion } from '#server/dialogue/contract';
import { packOf } from '#server/languages/index';
import type { SaidToAgent } from './repository.ts';

export interface CustomersQuestion extends PastQuestion {
  conversationId: string;
}

/**
 * The questions among what was said, each wording once. One that leans on what was said before stands behind the
 * customer's words before it; all others stand by themselves.
 * @param said newest first, conversation by conversation
 * @param language the agent's, as a BCP 47 tag
 * @param known wordings that were found already; those found now are added
 */
export function questionsIn(
  said: readonly SaidToAgent[],
  language: string,
  known: Set<string>,
): CustomersQuestion[] {
  const { messages, questions } = packOf(language);
  return said.flatMap(({ conversationId, content: text }, at) => {
    const { needs, isStatement, acts, danger } = messages.read(text);
    // In danger everybody is answered alike; who tries to get at the instructions asks nothing.
    if (needs.length === 0 || isStatement || danger || acts.includes('injection')) return [];
    const wording = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    if (known.has(wording)) return [];
    const before = said[at + 1];
    const isFirst = before?.conversationId !== conversationId;
    if (isFirst && questions.leaning(text) === 'surely') return [];
    known.add(wording);
    const leansOn = isFirst || questions.leaning(text) === 'no' ? null : before.content;
    return [{ conversationId, text, history: leansOn === null ? [] : [{ role: 'user', content: leansOn }] }];
  });
}

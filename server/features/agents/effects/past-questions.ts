import type { PastQuestion } from '#server/dialogue/contract';
import { packOf } from '#server/languages/index';
import type { SaidToAgent } from './repository.ts';

export interface CustomersQuestion extends PastQuestion {
  conversationId: string;
}

/**
 * The distinct questions among these utterances. A question that depends on earlier words comes with the customer's
 * words before it; all others stand alone.
 * @param said newest first, conversation by conversation
 * @param language the agent's, as a BCP 47 tag
 * @param known wordings found already; adds those found now
 */
export function questionsIn(
  said: readonly SaidToAgent[],
  language: string,
  known: Set<string>,
): CustomersQuestion[] {
  const { messages, questions } = packOf(language);
  return said.flatMap(({ conversationId, content: text }, at) => {
    const { needs, isStatement, acts, danger } = messages.read(text);
    // In danger every customer gets the same answer; an attempt to read the instructions is no question.
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

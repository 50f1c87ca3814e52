import type { Conversation } from '#shared/conversations';

type Stored = Pick<Conversation['messages'][number], 'role' | 'content'>;

/**
 * Compares a conversation as it is stored with what its customer knows: the welcome, then each message and one answer.
 * @returns what was lost or is there twice, in words; none when all is well
 */
export function transcriptProblems(
  [welcome, ...turns]: readonly Stored[],
  said: readonly { message: string }[],
): string[] {
  const problems: string[] = [];
  const expected = said.flatMap(({ message }) => [message, null]);
  if (welcome?.role !== 'assistant') problems.push('the welcome is lost');
  for (const [n, content] of expected.entries()) {
    const turn = turns[n];
    const fits = content === null ? turn?.role === 'assistant' : turn?.content === content;
    if (!fits) problems.push(`message ${n} is ${turn?.role ?? 'missing'}, for ${content ?? 'an answer'}`);
  }
  if (turns.length > expected.length) problems.push(`${turns.length - expected.length} too many`);
  return problems;
}

import type { ModelHabits, ToolCall } from '#server/engines/language/contract';
import { answerOnly } from './answer-only.ts';
import { markCitations } from './citations.ts';
import { plainText } from './plain-text.ts';
import { unpacked } from './structured.ts';

/**
 * A model's text as plain text for a customer, before any other step. Removes thinking, template marks, tool calls
 * written as text, JSON around an answer and markdown; citations become marks that `takeCitations` reads.
 * @param pieces from the model's server, cut anywhere
 */
export const cleaned = (
  pieces: AsyncIterable<string>,
  habits: ModelHabits,
  told: { onThinking(): void; onCall(call: ToolCall): void },
): AsyncGenerator<string> => markCitations(plainText(unpacked(answerOnly(pieces, habits, told))));

import type { ModelHabits, ToolCall } from '#server/engines/language/contract';
import { answerOnly } from './answer-only.ts';
import { markCitations } from './citations.ts';
import { plainText } from './plain-text.ts';
import { unpacked } from './structured.ts';

/**
 * What a model writes, as plain text for a customer, before anything else looks at it. Thinking, marks of templates, tool calls
 * written as text, JSON around an answer and markdown are gone; citations are marks that `takeCitations` reads.
 * @param pieces as the model's server sends them, cut anywhere
 */
export const cleaned = (
  pieces: AsyncIterable<string>,
  habits: ModelHabits,
  told: { onThinking(): void; onCall(call: ToolCall): void },
): AsyncGenerator<string> => markCitations(plainText(unpacked(answerOnly(pieces, habits, told))));

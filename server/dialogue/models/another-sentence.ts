import type { ChatMessage, CompletionRequest, LanguageEngine } from '#server/engines/language/contract';
import { timeLimit } from '#server/lib/wait';
import { cleaned } from './clean/clean.ts';
import { counted, type Tokens } from './model-uses.ts';
import { type StreamedSentence, sentencesFrom } from './sentence-stream.ts';
import { textIn } from './text-in.ts';

/** The customer hears nothing meanwhile, in milliseconds. */
const WAIT_MS = 2_500;

/** Instructions to a model for a replacement. */
export const instead = {
  of: (sentence: string) =>
    `(Not from the customer.) You were about to say: «${sentence}». It may not be said: it does not follow from the passages. Say one short sentence in its place, in the same language, that rests on a passage alone and answers the customer. If no passage does, answer only [0].`,
  ofAnAnswer:
    "(Not from the customer.) Say in one short sentence, in the customer's language, that you don't have that information, and ask whether a colleague shall get back to them. State nothing else.",
} as const;

/**
 * Asks a model for one more sentence.
 * @param said its sentences so far in this reply
 * @returns null if it has none, or none in time
 * @throws the signal's reason
 */
export async function anotherSentence(
  model: LanguageEngine,
  request: Omit<CompletionRequest, 'signal' | 'tools'>,
  { said, wish }: { said: string; wish: string },
  splitSentences: (text: string) => string[],
  onUsed: (tokens: Tokens) => void,
  signal: AbortSignal,
): Promise<StreamedSentence | null> {
  const stop = new AbortController();
  const before: ChatMessage[] = said === '' ? [] : [{ role: 'assistant', content: said }];
  const asking = {
    ...request,
    messages: [...request.messages, ...before, { role: 'user' as const, content: wish }],
    signal: AbortSignal.any([signal, stop.signal, timeLimit(WAIT_MS)]),
  };
  const told = { onThinking: () => {}, onCall: () => {} };
  try {
    const text = cleaned(textIn(counted(model, asking, onUsed)), model.habits, told);
    for await (const sentence of sentencesFrom(text, splitSentences)) return sentence;
    return null;
  } catch {
    signal.throwIfAborted();
    return null;
  } finally {
    stop.abort(new Error('It was said.'));
  }
}

import type { CustomerTurn, ReplyEvent } from '../contract.ts';
import { ModelReply } from './model-reply.ts';
import { ModelUses } from './model-uses.ts';
import { readTurn } from './read-turn.ts';
import type { ModelSurroundings } from './surroundings.ts';

/**
 * Lets a language model answer from the passages that the search finds. Its words are cleaned, and each sentence is judged before it
 * is said (`admission.ts`). For one that may not be said the model is asked for another, and then the business itself is quoted,
 * where it has an answer. Where a model fails the next one is asked, and in the end the embedded reader, which also says the rest
 * where one broke off. Never fails for a model's sake.
 * @throws the signal's reason
 */
export async function* respondWithModel(
  around: ModelSurroundings,
  turn: CustomerTurn,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent> {
  const uses = new ModelUses();
  try {
    signal.throwIfAborted();
    const read = await readTurn(around.knowing, turn, signal);
    if (read.isReaders) return yield* around.grounded(turn, signal);
    const reply = await ModelReply.open(around, turn, read, uses, signal);
    yield* reply.say();
    yield* (yield* reply.fillIn()) ?? reply.conclude();
  } finally {
    for (const use of uses) turn.models?.onUse(use);
  }
}

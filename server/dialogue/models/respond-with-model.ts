import type { CustomerTurn, ReplyEvent } from '../contract.ts';
import { ModelReply } from './model-reply.ts';
import { ModelUses } from './model-uses.ts';
import { readTurn } from './read-turn.ts';
import type { ModelSurroundings } from './surroundings.ts';

/**
 * Lets a language model answer from the search results. Its words are cleaned, and each sentence is judged before it is
 * said (`admission.ts`). For a withheld sentence the model is asked for another, and then the business is quoted, if it
 * has an answer. If a model fails, the next one is asked, and finally the embedded reader, which also completes a
 * broken-off reply. Never fails because of a model.
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

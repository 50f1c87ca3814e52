import { setImmediate as breathe } from 'node:timers/promises';
import type { ListedConversation } from '#shared/conversations';

/** Of 8,000 characters each, some 2 ms of this thread. */
const MESSAGES_AT_ONCE = 50;

/** A conversation as JSON, in pieces: other requests are served between two of them, however long it is. */
export async function* conversationJson({
  messages,
  ...conversation
}: ListedConversation): AsyncGenerator<string> {
  const head = JSON.stringify(conversation);
  if (!messages) {
    yield head;
    return;
  }
  yield `${head.slice(0, -1)},"messages":[`;
  for (let at = 0; at < messages.length; at += MESSAGES_AT_ONCE) {
    if (at > 0) await breathe();
    const some = JSON.stringify(messages.slice(at, at + MESSAGES_AT_ONCE)).slice(1, -1);
    yield at > 0 ? `,${some}` : some;
  }
  yield ']}';
}

/** The same for a list. */
export async function* conversationsJson(
  conversations: readonly ListedConversation[],
): AsyncGenerator<string> {
  yield '[';
  for (const [place, conversation] of conversations.entries()) {
    if (place > 0) yield ',';
    if (conversation.messages) await breathe();
    yield* conversationJson(conversation);
  }
  yield ']';
}

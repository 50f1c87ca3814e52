import { keepSealed, readSealed } from '#web/lib/sealed-storage';

/** A message the server has not acknowledged yet. */
interface UnsentMessage {
  /** Its clientMessageId: sent again under it, it is stored once. */
  id: string;
  text: string;
  /** ISO time of writing. */
  at: string;
}

interface Stored {
  conversationId: string;
  message: UnsentMessage;
}

const NAME = 'unsent';

/** Stores the message being sent, so that a reload does not lose it. Null: none. */
export function keepUnsent(conversationId: string, message: UnsentMessage | null): void {
  keepSealed(NAME, message && JSON.stringify({ conversationId, message } satisfies Stored));
}

/** The message that was being sent in this conversation, or null. */
export function readUnsent(conversationId: string): UnsentMessage | null {
  const stored: Partial<Stored> | null = JSON.parse(readSealed(NAME) ?? 'null');
  const message = stored?.message;
  const complete = stored?.conversationId === conversationId && message?.id && message.text && message.at;
  return complete ? message : null;
}

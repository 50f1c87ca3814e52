import { keepSealed, readSealed } from '#web/lib/sealed-storage';

/** A message the server has not acknowledged yet. */
interface UnsentMessage {
  /** Its clientMessageId: sent again under it, it is stored once. */
  id: string;
  text: string;
  /** ISO time it was written. */
  at: string;
}

interface Stored {
  conversationId: string;
  message: UnsentMessage;
}

const NAME = 'unsent';

/** Keeps the message under way, so that loading the page again does not lose it. Null: there is none. */
export function keepUnsent(conversationId: string, message: UnsentMessage | null): void {
  keepSealed(NAME, message && JSON.stringify({ conversationId, message } satisfies Stored));
}

/** The message that was under way in this conversation, or null. */
export function readUnsent(conversationId: string): UnsentMessage | null {
  const stored: Partial<Stored> | null = JSON.parse(readSealed(NAME) ?? 'null');
  const message = stored?.message;
  const complete = stored?.conversationId === conversationId && message?.id && message.text && message.at;
  return complete ? message : null;
}

import type { TurnListener } from './call-events.ts';

/** A client that has a conversation open. */
interface Attendant {
  listener: TurnListener;
  /** Whether it wants the voice. */
  voice: boolean;
}

/** Clients with open conversations here, so that unasked words reach them, too. */
export class Audience {
  /** The client that started or spoke last is last. */
  readonly #attendants = new Map<string, Attendant[]>();

  attend(conversationId: string, listener: TurnListener, voice: boolean): void {
    this.#attendants.set(conversationId, [
      ...this.#othersOf(conversationId, listener.id),
      { listener, voice },
    ]);
  }

  /** @param conversationId null: all */
  leave(listenerId: string, conversationId: string | null = null): void {
    const left = conversationId === null ? [...this.#attendants.keys()] : [conversationId];
    for (const each of left) {
      const others = this.#othersOf(each, listenerId);
      if (others.length > 0) this.#attendants.set(each, others);
      else this.#attendants.delete(each);
    }
  }

  /** The conversation is over. */
  end(conversationId: string): void {
    this.#attendants.delete(conversationId);
  }

  /** The one client that plays the voice; null if none is present. */
  hearerOf(conversationId: string): Attendant | null {
    const present = this.#attendants.get(conversationId)?.filter(({ listener }) => listener.isPresent);
    return present?.at(-1) ?? null;
  }

  #othersOf(conversationId: string, listenerId: string): Attendant[] {
    return (this.#attendants.get(conversationId) ?? []).filter(({ listener }) => listener.id !== listenerId);
  }
}

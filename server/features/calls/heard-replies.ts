import { type DeliveredSentence, delivered, estimatedDelivery, heardText } from './heard-text.ts';
import type { SpokenSentence } from './speak-in-order.ts';

/** A reply plays for seconds after it was stored; this many of the newest can still be cut exactly. */
const REMEMBERED_REPLIES = 500;

/** Remembers how long each sentence of the newest replies was spoken, so that an interruption can be placed in it. */
export class HeardReplies {
  readonly #deliveries = new Map<string, DeliveredSentence[]>();

  remember(responseId: string, sentences: readonly SpokenSentence[]): void {
    this.#deliveries.set(responseId, sentences.map(delivered));
    const [oldest] = this.#deliveries.keys();
    if (this.#deliveries.size > REMEMBERED_REPLIES && oldest !== undefined) this.#deliveries.delete(oldest);
  }

  /** What was heard of a stored reply; estimated when it is no longer remembered. */
  heard(responseId: string, content: string, heardMs: number): { text: string; complete: boolean } {
    return heardText(this.#deliveries.get(responseId) ?? estimatedDelivery(content), heardMs);
  }
}

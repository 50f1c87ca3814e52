import type { ExpectedAnswer } from '#server/languages/turn-taking';
import type { ReplyEvent } from '../contract.ts';
import type { StreamedSentence } from './sentence-stream.ts';

/**
 * The sentences of a reply. Each is sent at once if another follows; otherwise it waits, so that the last one can be
 * marked.
 */
export class ReplySentences {
  readonly said: string[] = [];
  #waiting: string | null = null;

  get length(): number {
    return this.said.length + (this.#waiting === null ? 0 : 1);
  }

  /** Includes the waiting sentence. */
  get text(): string {
    return (this.#waiting === null ? this.said : [...this.said, this.#waiting]).join(' ');
  }

  *add({ text, isFollowed }: StreamedSentence): Generator<ReplyEvent> {
    yield* this.#release(false);
    this.#waiting = text;
    if (isFollowed) yield* this.#release(false);
  }

  /**
   * @param otherwise said if no sentence waits to be the last
   * @param expects the answer that it asks for
   */
  *end(otherwise: string, expects?: ExpectedAnswer): Generator<ReplyEvent> {
    this.#waiting ??= otherwise;
    yield* this.#release(true, expects);
  }

  *#release(isLast: boolean, expects?: ExpectedAnswer): Generator<ReplyEvent> {
    if (this.#waiting === null) return;
    const asks = expects ? { expects } : {};
    yield { type: 'sentence', index: this.said.length, text: this.#waiting, isLast, ...asks };
    this.said.push(this.#waiting);
    this.#waiting = null;
  }
}

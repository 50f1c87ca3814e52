import type { SpokenSentence } from '../speak-in-order.ts';

/** Replies whose words are remembered: the one that is heard, and those on their way. */
const REMEMBERED = 4;
/** A client plays a reply the moment it has it; one that does not by then only shows it. */
const PLAYED_WITHIN_MS = 3_000;

/** The replies on their way to somebody who speaks: their words, and whether they were heard. */
export class Replies {
  readonly #onShown: (words: string) => void;
  readonly #words = new Map<string, { words: string; isSpoken: boolean; isWhole: boolean }>();
  /** The reply to the last utterance, until it is heard. */
  #expected: string | null = null;
  #overdue: NodeJS.Timeout | undefined;

  /** @param onShown told the words of the expected reply when it was shown and will not be heard */
  constructor(onShown: (words: string) => void) {
    this.#onShown = onShown;
  }

  expect(responseId: string): void {
    this.#forgetExpected();
    this.#expected = responseId;
    this.#judge(responseId);
  }

  /** Nothing more comes of it. */
  isSettled(responseId: string): void {
    if (this.#expected === responseId && !this.#words.has(responseId)) this.#isShown('');
  }

  add({ responseId, text, speech, isLast }: SpokenSentence & { responseId: string }): void {
    const before = this.#words.get(responseId);
    this.#words.set(responseId, {
      words: before ? `${before.words} ${text}` : text,
      isSpoken: before?.isSpoken || speech !== null,
      isWhole: isLast,
    });
    const [oldest] = this.#words.keys();
    if (this.#words.size > REMEMBERED && oldest !== undefined) this.#words.delete(oldest);
    this.#judge(responseId);
  }

  wordsOf(responseId: string): string | null {
    return this.#words.get(responseId)?.words ?? null;
  }

  isHeard(responseId: string): void {
    if (this.#expected === responseId) this.#forgetExpected();
  }

  /** The reply that nothing was heard of yet, to be called off. */
  takeUnheard(): string | null {
    const unheard = this.#expected;
    this.#forgetExpected();
    return unheard;
  }

  close(): void {
    this.#forgetExpected();
  }

  #judge(responseId: string): void {
    const reply = this.#words.get(responseId);
    if (!reply || this.#expected !== responseId) return;
    if (reply.isWhole && !reply.isSpoken) this.#isShown(reply.words);
    else if (reply.isSpoken)
      this.#overdue ??= setTimeout(() => this.#isShown(this.wordsOf(responseId) ?? ''), PLAYED_WITHIN_MS);
  }

  #isShown(words: string): void {
    this.#forgetExpected();
    this.#onShown(words);
  }

  #forgetExpected(): void {
    clearTimeout(this.#overdue);
    this.#overdue = undefined;
    this.#expected = null;
  }
}

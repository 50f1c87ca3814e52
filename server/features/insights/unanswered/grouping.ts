import type { ReadingEngine } from '#server/engines/reading/contract';
import type { QuestionGroup, UnansweredRepository } from './repository.ts';

interface GroupingDependencies {
  repository: UnansweredRepository;
  reading: ReadingEngine;
  /** Told of failures that are worth a look; what customers said is not in them. */
  onFailure(error: unknown): void;
  /** How long it waits after the first failure, in milliseconds; then twice as long, and so on. */
  retryMs?: number;
}

/**
 * How near in meaning questions of one group are to its oldest. Of 720 pairs of different questions to the same business
 * none reaches it (the nearest: 0.70), while half of those that are the same in other words do: see
 * docs/decisions/2026-11-22-unanswered-questions.md.
 */
const SAME_MEANING = 0.72;

const AT_ONCE = 20;
const RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 10 * 60_000;

/**
 * Finds, in the background, which unanswered questions mean the same: each joins the group of its agent whose oldest
 * question is nearest to it, or founds one. No turn waits for it; what fails is tried again.
 */
export class Grouping {
  readonly #deps: GroupingDependencies;
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;
  #isMore = false;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(deps: GroupingDependencies) {
    this.#deps = deps;
  }

  /** There may be questions that wait. Never throws. */
  wake(): void {
    if (this.#closing.signal.aborted) return;
    this.#isMore = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      // Woken in its last moment.
      if (this.#isMore) this.wake();
    });
  }

  /** Resolves when nothing is being grouped. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('Sigma is closing.'));
    clearTimeout(this.#retry);
    await this.#running;
  }

  async #run(): Promise<void> {
    clearTimeout(this.#retry);
    try {
      while (this.#isMore) {
        this.#isMore = false;
        while ((await this.#groupSome()) === AT_ONCE);
      }
      this.#failures = 0;
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#deps.onFailure(error);
      const delayMs = (this.#deps.retryMs ?? RETRY_MS) * 2 ** this.#failures++;
      this.#retry = setTimeout(() => this.wake(), Math.min(delayMs, LONGEST_RETRY_MS)).unref();
    }
  }

  /** @returns how many it took; fewer than `AT_ONCE` means that none is left */
  async #groupSome(): Promise<number> {
    const { repository, reading } = this.#deps;
    const { signal } = this.#closing;
    signal.throwIfAborted();
    const waiting = await repository.waiting(AT_ONCE);
    if (waiting.length === 0) return 0;
    const texts = waiting.map(({ question }) => normalQuestion(question));
    const vectors = await reading.embed(texts, { signal, urgency: 'index' });
    for (const [place, question] of waiting.entries()) {
      const vector = vectors[place];
      if (!vector) throw new Error('The reading engine answered fewer vectors than texts.');
      signal.throwIfAborted();
      await repository.place(question, vector, reading.revision, (groups) => nearest(vector, groups));
    }
    return waiting.length;
  }
}

/** What of a question counts: the same words are the same question, however they are spelled, spaced and ended. */
export function normalQuestion(question: string): string {
  const words = question.normalize('NFKC').toLowerCase();
  return words.replace(/[\s.,;:!?…"“”„()]+/gu, ' ').trim() || question;
}

function nearest(vector: Float32Array, groups: readonly QuestionGroup[]): string | null {
  let best: { id: string; likeness: number } | null = null;
  for (const group of groups) {
    const likeness = dot(vector, group.vector);
    if (likeness >= SAME_MEANING && likeness > (best?.likeness ?? 0)) best = { id: group.id, likeness };
  }
  return best?.id ?? null;
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

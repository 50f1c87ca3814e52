import type { ReadingEngine } from '#server/engines/reading/contract';
import type { QuestionGroup, UnansweredRepository } from './repository.ts';

interface GroupingDependencies {
  repository: UnansweredRepository;
  reading: ReadingEngine;
}

/**
 * Whether two questions mean the same depends on their similarity in meaning and on the cross-encoder's score between
 * them: it tells "to Norway" from "to Sweden", which are more similar than most wordings of one question. See
 * docs/decisions/2026-11-27-questions-of-one-meaning.md.
 */
const LIKENESS_COUNTS = 15;
const SAME_MEANING = 8.4;
/** The same words, whatever the cross-encoder's score. */
const SAME_WORDS = 0.97;
/** The nearest groups, which are read with a question; the others are not. */
const READ = 5;
const MAY_BE_ALIKE = 0.5;
/** The assumed cross-encoder score of two questions that it did not read: lower than for most with the same meaning. */
const UNREAD = -3;

const AT_ONCE = 20;

/**
 * Groups unanswered questions of the same meaning in the background: each joins the group of its agent whose oldest
 * question is nearest to it, or starts a new one. No turn waits for it.
 */
export class Grouping {
  readonly #deps: GroupingDependencies;
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;
  #isMore = false;

  constructor(deps: GroupingDependencies) {
    this.#deps = deps;
  }

  /**
   * Groups all waiting questions, including those that arrive meanwhile. @throws EngineError; the signal's reason on
   * closing
   */
  async run(): Promise<void> {
    this.#isMore = true;
    while (this.#isMore) {
      this.#running ??= this.#groupAll().finally(() => {
        this.#running = null;
      });
      await this.#running;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('Sigma is closing.'));
    await this.#running?.catch(() => {});
  }

  async #groupAll(): Promise<void> {
    while (this.#isMore) {
      this.#isMore = false;
      while ((await this.#groupSome()) === AT_ONCE);
    }
  }

  /** @returns the number of questions taken; fewer than `AT_ONCE` means that none is left */
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
      const known = await repository.groups(question, reading.revision);
      // Reads before locking the groups, since other work waits for those.
      const relevance = await this.#read(question.question, vector, known);
      await repository.place(question, vector, reading.revision, (groups) =>
        nearest(vector, groups, relevance),
      );
    }
    return waiting.length;
  }

  /** The cross-encoder's score of a question with those of the nearest groups, the better of both directions. */
  async #read(
    question: string,
    vector: Float32Array,
    groups: readonly QuestionGroup[],
  ): Promise<ReadonlyMap<string, number>> {
    const { reading } = this.#deps;
    const options = { signal: this.#closing.signal, urgency: 'index' } as const;
    const near = groups
      .map((group) => ({ group, likeness: dot(vector, group.vector) }))
      .filter(({ likeness }) => likeness >= MAY_BE_ALIKE && likeness < SAME_WORDS)
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, READ);
    const found = new Map<string, number>();
    for (const { group } of near) {
      const [one] = await reading.relevance(question, [group.question], options);
      const [other] = await reading.relevance(group.question, [question], options);
      found.set(group.id, Math.max(one ?? UNREAD, other ?? UNREAD));
    }
    return found;
  }
}

/** Normalises a question: the same words are the same question, whatever their case, spacing and end. */
export function normalQuestion(question: string): string {
  const words = question.normalize('NFKC').toLowerCase();
  return words.replace(/[\s.,;:!?…"“”„()]+/gu, ' ').trim() || question;
}

function nearest(
  vector: Float32Array,
  groups: readonly QuestionGroup[],
  relevance: ReadonlyMap<string, number>,
): string | null {
  let best: { id: string; score: number } | null = null;
  for (const { id, vector: other } of groups) {
    const likeness = dot(vector, other);
    const score =
      likeness >= SAME_WORDS ? Infinity : LIKENESS_COUNTS * likeness + (relevance.get(id) ?? UNREAD);
    if (score >= SAME_MEANING && score > (best?.score ?? 0)) best = { id, score };
  }
  return best?.id ?? null;
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

import { conflict } from './errors.ts';
import { type LimiterFactory, take } from './rate-limits.ts';

const DAY_S = 24 * 60 * 60;

/** Bounds the text that is stored for one account within a day: what its customers write, and its agents as they are saved. */
export class TextQuota {
  readonly #limits: ReturnType<LimiterFactory> | null;

  /** @param characters how many; without a limit nothing is counted */
  constructor(limiters?: LimiterFactory, characters = Number.POSITIVE_INFINITY) {
    const isBounded = limiters !== undefined && Number.isFinite(characters);
    this.#limits = isBounded ? limiters('text', { count: characters, windowS: DAY_S }) : null;
  }

  /** Counts text that is about to be stored. @throws AppError conflict when it is too much for this day */
  async take(userId: string, characters: number): Promise<void> {
    const limits = this.#limits;
    if (limits) await take(limits, userId, characters, () => tooMuch(limits.points));
  }
}

const tooMuch = (characters: number) =>
  conflict(
    `This account has stored ${(characters / 1e6).toLocaleString('en')} million characters of text within a day, the most it may: go on tomorrow.`,
  );

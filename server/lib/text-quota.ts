import { refusal } from '#shared/refusals/refusal';
import { conflict } from './errors.ts';
import { type LimiterFactory, take } from './rate-limits.ts';

const DAY_S = 24 * 60 * 60;

/** Limits the text stored for one account per day: its customers' messages and its saved agents. */
export class TextQuota {
  readonly #limits: ReturnType<LimiterFactory> | null;

  /** @param characters per day; infinite: nothing is counted */
  constructor(limiters?: LimiterFactory, characters = Number.POSITIVE_INFINITY) {
    const isBounded = limiters !== undefined && Number.isFinite(characters);
    this.#limits = isBounded ? limiters('text', { count: characters, windowS: DAY_S }) : null;
  }

  /** Counts text that is about to be stored. @throws AppError conflict when the day's limit is exceeded */
  async take(account: string, characters: number): Promise<void> {
    const limits = this.#limits;
    if (limits) await take(limits, account, characters, () => tooMuch(limits.points));
  }
}

const tooMuch = (characters: number) =>
  conflict(refusal('common.text-quota', { millions: characters / 1e6 }));

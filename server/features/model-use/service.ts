import { v7 as uuidv7 } from 'uuid';
import type { ModelAllowance, ModelUse } from '#server/dialogue/contract';
import { type ContactScope, memberScope } from '#server/lib/scope';
import type { Member } from '#server/lib/session';
import type { ModelUseSettings } from '#server/settings/config';
import type { ModelUsage, TurnModelUse } from '#shared/insights';
import type { ModelUseRepository, NewModelUse } from './repository.ts';

interface ModelUseOptions {
  repository: ModelUseRepository;
  /** The current settings, which owners may change while the server runs. */
  terms(): ModelUseSettings;
  /** Called once a day when the allowance is used up. */
  onSpent(tokens: number): void;
  onFailure(error: unknown): void;
  now?: () => Date;
}

/** The turn that a model answers. */
type Turn = Pick<NewModelUse, 'scope' | 'conversationId' | 'messageId'>;

/** The use of language models, its cost, and its daily limit. */
export class ModelUseService {
  readonly #options: ModelUseOptions;
  readonly #now: () => Date;
  /** The use of all accounts: counted here at once, and corrected from the database. */
  #today = { day: 0, tokens: 0, isSpent: false };
  #storing: Promise<void> = Promise.resolve();

  constructor(options: ModelUseOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  /** Reads today's use before this server started. */
  async open(): Promise<void> {
    await this.#correct(this.#now());
  }

  /** The allowance of a turn. A turn that has begun is completed, whatever it uses. */
  allowance(turn: Turn): ModelAllowance {
    return { isLeft: () => this.#isLeft(), onUse: (use) => this.#count(turn, use) };
  }

  /**
   * The use of today, this month and months before: for owners of the installation of all accounts, for others of their
   * own.
   * @param count of months, including this one
   */
  async usage(user: Member, count: number): Promise<ModelUsage> {
    const { repository, terms } = this.#options;
    const isOwner = user.isInstallationOwner;
    const whose = isOwner ? null : memberScope(user);
    const now = this.#now();
    const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 - count));
    const [months, tokens] = await Promise.all([
      repository.months(whose, since),
      repository.tokensOn(whose, now),
    ]);
    return {
      scope: isOwner ? 'installation' : 'account',
      months: months.map(({ costMicros, ...month }) => ({ ...month, cost: dollars(costMicros) })),
      today: { tokens, limit: isOwner ? terms().tokensPerDay : null, isSpent: !this.#isLeft() },
    };
  }

  /** By turn, oldest first. */
  async ofConversation(scope: ContactScope, conversationId: string): Promise<TurnModelUse[]> {
    const uses = await this.#options.repository.ofConversation(scope, conversationId);
    return uses.map(({ messageId, model, input, output, costMicros, at }) => ({
      at: at.toISOString(),
      ...(messageId === null ? {} : { messageId }),
      ...{ model, input, output },
      cost: dollars(costMicros),
    }));
  }

  /** Resolves when all use so far is stored, or storing failed. */
  async settled(): Promise<void> {
    await this.#storing;
  }

  #isLeft(): boolean {
    const { terms, onSpent } = this.#options;
    const { tokensPerDay } = terms();
    if (tokensPerDay === null) return true;
    const today = this.#todayAt(this.#now());
    if (today.tokens < tokensPerDay) return true;
    if (!today.isSpent) onSpent(today.tokens);
    today.isSpent = true;
    return false;
  }

  #count(turn: Turn, { model, input, output }: ModelUse): void {
    const { repository, terms, onFailure } = this.#options;
    const { prices, tokensPerDay } = terms();
    const price = prices.find((each) => each.model === model);
    const at = this.#now();
    this.#todayAt(at).tokens += input + output;
    const use = {
      ...turn,
      ...{ model, input, output, at },
      id: uuidv7(),
      // Dollars per million tokens are millionths of a dollar per token.
      costMicros: price ? Math.round(input * price.input + output * price.output) : null,
    };
    // Stored one after another, in the background.
    this.#storing = this.#storing
      .then(() => repository.add(use))
      .then(() => (tokensPerDay === null ? undefined : this.#correct(at)))
      .catch(onFailure);
  }

  /** Other servers on the same database use the same daily limit. */
  async #correct(at: Date): Promise<void> {
    const stored = await this.#options.repository.tokensOn(null, at);
    const today = this.#todayAt(this.#now());
    if (today.day === dayOf(at)) today.tokens = Math.max(today.tokens, stored);
  }

  #todayAt(at: Date) {
    const day = dayOf(at);
    if (day !== this.#today.day) this.#today = { day, tokens: 0, isSpent: false };
    return this.#today;
  }
}

/** UTC days since 1970. */
const dayOf = (at: Date) => Math.floor(at.getTime() / DAY_MS);

const DAY_MS = 24 * 60 * 60_000;

const dollars = (micros: number | null) => (micros === null ? null : micros / 1_000_000);

import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import { readInstallationSetting, settleInstallationSetting } from '#server/database/installation-settings';
import type { Db } from '#server/database/open';
import { recoveryCodes, secondFactors } from '#server/database/schema';

export type SecondFactorRecord = typeof secondFactors.$inferSelect;

/** Second factors, their recovery codes, and whether every user must have one. */
export class SecondFactorRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async find(userId: string): Promise<SecondFactorRecord | null> {
    const [row] = await this.#db.select().from(secondFactors).where(eq(secondFactors.userId, userId));
    return row ?? null;
  }

  /** Stores a secret that its user has still to confirm. @returns whether they have none yet */
  async propose(userId: string, sealedSecret: string): Promise<boolean> {
    const kept = await this.#db
      .insert(secondFactors)
      .values({ userId, sealedSecret })
      .onConflictDoUpdate({
        target: secondFactors.userId,
        set: { sealedSecret },
        setWhere: isNull(secondFactors.confirmedAt),
      })
      .returning({ userId: secondFactors.userId });
    return kept.length > 0;
  }

  /**
   * Activates a proposed secret with its recovery codes.
   * @param step the time step of the code shown, which is used up
   * @returns whether the proposal was still the same
   */
  async confirm(proposed: SecondFactorRecord, step: number, codeHashes: readonly string[]): Promise<boolean> {
    const { userId, sealedSecret } = proposed;
    return this.#db.transaction(async (tx) => {
      const confirmed = await tx
        .update(secondFactors)
        .set({ confirmedAt: new Date(), lastStep: step })
        .where(
          and(
            eq(secondFactors.userId, userId),
            eq(secondFactors.sealedSecret, sealedSecret),
            isNull(secondFactors.confirmedAt),
          ),
        )
        .returning({ userId: secondFactors.userId });
      if (confirmed.length === 0) return false;
      await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
      await tx.insert(recoveryCodes).values(codeHashes.map((codeHash) => ({ userId, codeHash })));
      return true;
    });
  }

  /** Uses up the code of a time step. @returns whether neither it nor a later one was used before */
  async takeStep(userId: string, step: number): Promise<boolean> {
    const taken = await this.#db
      .update(secondFactors)
      .set({ lastStep: step })
      .where(and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step)))
      .returning({ userId: secondFactors.userId });
    return taken.length > 0;
  }

  /** Uses a recovery code up. @returns whether it was there */
  async takeCode(userId: string, codeHash: string): Promise<boolean> {
    const taken = await this.#db
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)))
      .returning({ userId: recoveryCodes.userId });
    return taken.length > 0;
  }

  async codesLeft(userId: string): Promise<number> {
    return this.#db.$count(recoveryCodes, eq(recoveryCodes.userId, userId));
  }

  async replaceCodes(userId: string, codeHashes: readonly string[]): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
      await tx.insert(recoveryCodes).values(codeHashes.map((codeHash) => ({ userId, codeHash })));
    });
  }

  /** @returns whether an active one was deleted */
  async delete(userId: string): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
      const gone = await tx
        .delete(secondFactors)
        .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)))
        .returning({ userId: secondFactors.userId });
      return gone.length > 0;
    });
  }

  async isRequired(): Promise<boolean> {
    return (await readInstallationSetting(this.#db, 'second-factor')) === 'required';
  }

  async require(required: boolean): Promise<void> {
    await settleInstallationSetting(this.#db, 'second-factor', required ? 'required' : 'optional');
  }
}

import { and, eq } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { identities, users } from '#server/database/schema';

type IdentityKey = Pick<typeof identities.$inferSelect, 'issuer' | 'subject'>;

/** Which account belongs to whom at an identity provider. */
export class FederationRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async findUser({ issuer, subject }: IdentityKey) {
    const [found] = await this.#db
      .select({ user: users })
      .from(identities)
      .innerJoin(users, eq(users.id, identities.userId))
      .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
    return found?.user ?? null;
  }

  /** By which identities somebody signs in. */
  async identitiesOf(userId: string): Promise<IdentityKey[]> {
    return this.#db
      .select({ issuer: identities.issuer, subject: identities.subject })
      .from(identities)
      .where(eq(identities.userId, userId))
      .orderBy(identities.issuer, identities.subject);
  }

  /** Gives an account to somebody at a provider. Its password goes: whoever set it need not be the same person. */
  async bind({ issuer, subject }: IdentityKey, userId: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.insert(identities).values({ issuer, subject, userId });
      await tx.update(users).set({ passwordHash: null }).where(eq(users.id, userId));
    });
  }
}

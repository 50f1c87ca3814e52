import { and, eq, gt, isNotNull, lte, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import {
  actions,
  agents,
  conversations,
  documents,
  identities,
  invitations,
  passwordResets,
  recordings,
  recoveryCodes,
  rooms,
  secondFactors,
  signInAddresses,
  signInTickets,
  users,
} from '#server/database/schema';
import type { ExistingAccount } from '#shared/accounts';
import type { UserRecord } from '../repository.ts';

type IdentityKey = Pick<typeof identities.$inferSelect, 'issuer' | 'subject'>;

/** Links between accounts and identities at providers, and the tickets that finish a sign-in. */
export class FederationRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async findUser({ issuer, subject }: IdentityKey): Promise<UserRecord | null> {
    const [found] = await this.#db
      .select({ user: users })
      .from(identities)
      .innerJoin(users, eq(users.id, identities.userId))
      .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
    return found?.user ?? null;
  }

  /** The identities that a user signs in with. */
  async identitiesOf(userId: string): Promise<IdentityKey[]> {
    return this.#db
      .select({ issuer: identities.issuer, subject: identities.subject })
      .from(identities)
      .where(eq(identities.userId, userId))
      .orderBy(identities.issuer, identities.subject);
  }

  /**
   * Links an account that another provider has confirmed to the same person at this one, and removes its password.
   * @param name as the provider tells it
   */
  async bind({ issuer, subject }: IdentityKey, userId: string, name: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.update(users).set({ passwordHash: null, name }).where(eq(users.id, userId));
      await tx.insert(identities).values({ issuer, subject, userId }).onConflictDoNothing();
    });
  }

  /**
   * Links an account with an unconfirmed address to a person at a provider, and holds it until that person decides
   * about its contents. Meanwhile nothing in it acts, and its maker has no way in: no password, second factor, link or
   * known address.
   */
  async hold({ issuer, subject }: IdentityKey, userId: string, name: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const heldAt = sql`coalesce(${users.heldAt}, now())`;
      await tx.update(users).set({ name, heldAt }).where(eq(users.id, userId));
      await endWaysIn(tx, userId);
      await tx.insert(identities).values({ issuer, subject, userId }).onConflictDoNothing();
    });
  }

  /**
   * Releases a held account with its contents.
   * @returns null if it is not held
   */
  async takeOver(userId: string): Promise<UserRecord | null> {
    return this.#db.transaction(async (tx) => {
      const [released] = await tx
        .update(users)
        .set({ heldAt: null, passwordHash: null })
        .where(and(eq(users.id, userId), isNotNull(users.heldAt)))
        .returning();
      if (!released) return null;
      // Repeated: a request under way when the account was held may have made another.
      await endWaysIn(tx, userId);
      return released;
    });
  }

  /** Counts the things of each kind that a user has. */
  async contentsOf({ id: userId, workspaceId }: UserRecord): Promise<Omit<ExistingAccount, 'createdAt'>> {
    const db = this.#db;
    return {
      agents: await db.$count(agents, eq(agents.workspaceId, workspaceId)),
      actions: await db.$count(actions, eq(actions.workspaceId, workspaceId)),
      documents: await db.$count(documents, eq(documents.workspaceId, workspaceId)),
      conversations: await db.$count(conversations, eq(conversations.contactId, userId)),
      recordings: await db.$count(recordings, eq(recordings.contactId, userId)),
      rooms: await db.$count(rooms, eq(rooms.ownerId, userId)),
    };
  }

  async addTicket(ticket: typeof signInTickets.$inferInsert): Promise<void> {
    await this.#db.insert(signInTickets).values(ticket);
  }

  /** The user of a ticket that has not expired by `now`. */
  async findTicket(ticketHash: string, now: Date): Promise<UserRecord | null> {
    const [found] = await this.#db
      .select({ user: users })
      .from(signInTickets)
      .innerJoin(users, eq(users.id, signInTickets.userId))
      .where(and(eq(signInTickets.ticketHash, ticketHash), gt(signInTickets.expiresAt, now)));
    return found?.user ?? null;
  }

  /** Uses a ticket up. @returns whether it was there: only one of two simultaneous uses succeeds */
  async takeTicket(ticketHash: string): Promise<boolean> {
    const taken = await this.#db
      .delete(signInTickets)
      .where(eq(signInTickets.ticketHash, ticketHash))
      .returning({ userId: signInTickets.userId });
    return taken.length > 0;
  }

  async deleteExpiredTickets(now: Date): Promise<void> {
    await this.#db.delete(signInTickets).where(lte(signInTickets.expiresAt, now));
  }
}

/** Ends every way into an account except its identities and sessions. */
async function endWaysIn(tx: Parameters<Parameters<Db['transaction']>[0]>[0], userId: string): Promise<void> {
  const linkVersion = sql`${users.linkVersion} + 1`;
  await tx.update(users).set({ passwordHash: null, linkVersion }).where(eq(users.id, userId));
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.delete(secondFactors).where(eq(secondFactors.userId, userId));
  await tx.delete(signInAddresses).where(eq(signInAddresses.userId, userId));
  await tx.delete(invitations).where(eq(invitations.invitedBy, userId));
}

import { and, desc, eq, gt, inArray, isNotNull, lt } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { contacts, liveCalls } from '#server/database/schema';
import { contactIn } from '#server/database/scoped';
import type { ContactScope } from '#server/lib/scope';

type LiveCallRecord = typeof liveCalls.$inferSelect;

/**
 * Records of live rooms that are still open, and until when. Statements name the owner, except those that work on every
 * room of this database. Ids must be well-formed UUIDs.
 */
export class RoomsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The scope of a person in a room; null if they are gone. */
  async scopeOf(contactId: string): Promise<ContactScope | null> {
    const [row] = await this.#db
      .select({ workspaceId: contacts.workspaceId, contactId: contacts.id })
      .from(contacts)
      .where(eq(contacts.id, contactId));
    return row ?? null;
  }

  /** A contact's open record of a room. */
  async findOpen(scope: ContactScope, roomName: string): Promise<LiveCallRecord | null> {
    const [row] = await this.#db
      .select()
      .from(liveCalls)
      .where(and(eq(liveCalls.contactId, contactIn(scope)), eq(liveCalls.roomName, roomName)));
    return row ?? null;
  }

  /** Marks these records as open until then, and as records of that call. */
  async renew(conversationIds: readonly string[], until: Date, callId: string): Promise<void> {
    if (conversationIds.length === 0) return;
    await this.#db
      .update(liveCalls)
      .set({ liveUntil: until, callId })
      .where(inArray(liveCalls.conversationId, [...conversationIds]));
  }

  async forget(conversationId: string): Promise<void> {
    await this.#db.delete(liveCalls).where(eq(liveCalls.conversationId, conversationId));
  }

  /** Records that are no longer renewed. */
  async abandoned(
    now: Date,
    limit: number,
  ): Promise<{ scope: ContactScope; conversationId: string; liveUntil: Date }[]> {
    return this.#db
      .select({
        scope: { workspaceId: contacts.workspaceId, contactId: contacts.id },
        conversationId: liveCalls.conversationId,
        liveUntil: liveCalls.liveUntil,
      })
      .from(liveCalls)
      .innerJoin(contacts, eq(contacts.id, liveCalls.contactId))
      .where(lt(liveCalls.liveUntil, now))
      .limit(limit);
  }

  /** The rooms with calls a moment ago. */
  async roomsUnderWay(now: Date): Promise<string[]> {
    const rows = await this.#db
      .selectDistinct({ roomName: liveCalls.roomName })
      .from(liveCalls)
      .where(gt(liveCalls.liveUntil, now));
    return rows.map(({ roomName }) => roomName);
  }

  /** The call in a room a moment ago; null without one. */
  async callIn(roomName: string, now: Date): Promise<string | null> {
    const [row] = await this.#db
      .select({ callId: liveCalls.callId })
      .from(liveCalls)
      .where(and(eq(liveCalls.roomName, roomName), gt(liveCalls.liveUntil, now), isNotNull(liveCalls.callId)))
      .orderBy(desc(liveCalls.liveUntil))
      .limit(1);
    return row?.callId ?? null;
  }

  /** The agent of a call in a room a moment ago; null without one. */
  async agentOf(
    roomName: string,
    now: Date,
  ): Promise<Pick<LiveCallRecord, 'agentId' | 'agentOwnerId'> | null> {
    const [row] = await this.#db
      .select({ agentId: liveCalls.agentId, agentOwnerId: liveCalls.agentOwnerId })
      .from(liveCalls)
      .where(and(eq(liveCalls.roomName, roomName), gt(liveCalls.liveUntil, now)))
      .orderBy(desc(liveCalls.liveUntil))
      .limit(1);
    return row ?? null;
  }
}

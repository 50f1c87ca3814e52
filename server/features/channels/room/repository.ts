import { and, desc, eq, gt, inArray, isNotNull, lt } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { contacts, liveCalls } from '#server/database/schema';
import { contactIn } from '#server/database/scoped';
import type { ContactScope } from '#server/lib/scope';

type LiveCallRecord = typeof liveCalls.$inferSelect;

/**
 * Which records of live rooms are still being written, and by whom as long. Statements name the owner but for those that
 * keep house for every room of this database. Ids must be well-formed UUIDs.
 */
export class RoomsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The workspace of somebody in a room, and themselves in it; null where they are gone. */
  async scopeOf(contactId: string): Promise<ContactScope | null> {
    const [row] = await this.#db
      .select({ workspaceId: contacts.workspaceId, contactId: contacts.id })
      .from(contacts)
      .where(eq(contacts.id, contactId));
    return row ?? null;
  }

  /** A contact's record of a room that is still open. */
  async findOpen(scope: ContactScope, roomName: string): Promise<LiveCallRecord | null> {
    const [row] = await this.#db
      .select()
      .from(liveCalls)
      .where(and(eq(liveCalls.contactId, contactIn(scope)), eq(liveCalls.roomName, roomName)));
    return row ?? null;
  }

  /** Says that these records are being written until then, as records of that call. */
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

  /** Records that nobody writes any more. */
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

  /** The rooms in which calls were going on a moment ago. */
  async roomsUnderWay(now: Date): Promise<string[]> {
    const rows = await this.#db
      .selectDistinct({ roomName: liveCalls.roomName })
      .from(liveCalls)
      .where(gt(liveCalls.liveUntil, now));
    return rows.map(({ roomName }) => roomName);
  }

  /** The call that was going on in a room a moment ago; null where there was none. */
  async callIn(roomName: string, now: Date): Promise<string | null> {
    const [row] = await this.#db
      .select({ callId: liveCalls.callId })
      .from(liveCalls)
      .where(and(eq(liveCalls.roomName, roomName), gt(liveCalls.liveUntil, now), isNotNull(liveCalls.callId)))
      .orderBy(desc(liveCalls.liveUntil))
      .limit(1);
    return row?.callId ?? null;
  }

  /** The agent of a call that was going on in a room a moment ago; null where there was none. */
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

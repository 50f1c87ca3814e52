import { and, asc, desc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { roomGuests, roomInvites, rooms, users } from '#server/database/schema';
import { whereRoom } from '#server/lib/database-away';
import type { RoomChange } from '#shared/rooms';

export type OwnedRoom = typeof rooms.$inferSelect;
type Guest = typeof roomGuests.$inferSelect;
type GuestChange = Partial<Pick<Guest, 'knockedAt' | 'admittedAt' | 'removedAt'>>;

/** Rooms, their owners, and their guests. Callers have found the room and checked its owner. */
export class DoorsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The room of exactly that name. */
  async find(name: string): Promise<OwnedRoom | null> {
    const [room] = await this.#db.select().from(rooms).where(eq(rooms.name, name));
    return room ?? null;
  }

  /** The room of exactly that name, else one whose name looks like it. */
  async findAlike(name: string, look: string): Promise<OwnedRoom | null> {
    const found = await this.#db
      .select()
      .from(rooms)
      .where(or(eq(rooms.name, name), eq(rooms.look, look)));
    return found.find((room) => room.name === name) ?? found[0] ?? null;
  }

  /** The room whose name looks like this one; creates it as given if there is none. */
  async findOrMake(
    room: Pick<OwnedRoom, 'name' | 'ownerId' | 'access' | 'usedAt'> & { look: string },
  ): Promise<OwnedRoom> {
    const known = await this.findAlike(room.name, room.look);
    if (known) return known;
    const [made] = await this.#db.insert(rooms).values(room).onConflictDoNothing().returning();
    // Another request created it first.
    return made ?? this.findOrMake(room);
  }

  /** Names of rooms without a stored look, latest used first. */
  async withoutLook(): Promise<string[]> {
    const found = await this.#db
      .select({ name: rooms.name })
      .from(rooms)
      .where(isNull(rooms.look))
      .orderBy(desc(rooms.usedAt), asc(rooms.name));
    return found.map(({ name }) => name);
  }

  /** Stores a room's look unless another room has it. */
  async giveLook(name: string, look: string): Promise<void> {
    const isFree = sql`not exists (select 1 from ${rooms} other where other.look = ${look})`;
    await this.#db
      .update(rooms)
      .set({ look })
      .where(and(eq(rooms.name, name), isNull(rooms.look), isFree));
  }

  async countOwnedBy(ownerId: string): Promise<number> {
    return this.#db.$count(rooms, eq(rooms.ownerId, ownerId));
  }

  async change(name: string, change: RoomChange & { usedAt?: Date }): Promise<OwnedRoom | null> {
    const [changed] = await this.#db.update(rooms).set(change).where(eq(rooms.name, name)).returning();
    return changed ?? null;
  }

  /**
   * Ends the invitations to an owner's rooms, and lets no agent stay in them without their owner. @returns their rooms
   */
  async withdraw(ownerId: string): Promise<OwnedRoom[]> {
    const theirs = this.#db.select({ name: rooms.name }).from(rooms).where(eq(rooms.ownerId, ownerId));
    await this.#db.delete(roomInvites).where(inArray(roomInvites.roomName, theirs));
    return this.#db.update(rooms).set({ agentStays: false }).where(eq(rooms.ownerId, ownerId)).returning();
  }

  /**
   * Closes a room to people who could enter before: earlier keys admit only people who are inside now.
   * @param inside ids of the users who are there
   */
  async close(name: string, change: RoomChange, inside: readonly string[]): Promise<OwnedRoom | null> {
    return this.#db.transaction(async (tx) => {
      const [closed] = await tx
        .update(rooms)
        .set({ ...change, closings: sql`${rooms.closings} + 1` })
        .where(eq(rooms.name, name))
        .returning();
      if (!closed || inside.length === 0) return closed ?? null;
      const there = await tx
        .select({ userId: users.id })
        .from(users)
        .where(inArray(users.id, [...inside]));
      const insideAtClosing = closed.closings;
      if (there.length > 0)
        await tx
          .insert(roomGuests)
          .values(there.map(({ userId }) => ({ roomName: name, userId, insideAtClosing })))
          .onConflictDoUpdate({
            target: [roomGuests.roomName, roomGuests.userId],
            set: { insideAtClosing },
          });
      return closed;
    });
  }

  /** Deletes rooms unused since, with their invitations and guests. */
  async forgetUnused(since: Date): Promise<void> {
    await whereRoom(() => this.#db.delete(rooms).where(lt(rooms.usedAt, since)));
  }

  async forgetExpiredInvites(now: Date): Promise<void> {
    await whereRoom(() => this.#db.delete(roomInvites).where(lt(roomInvites.expiresAt, now)));
  }

  /** @param atMost the newest of a room's invitations to keep, including this one */
  async addInvite(invite: typeof roomInvites.$inferInsert, atMost: number): Promise<void> {
    await this.#db.insert(roomInvites).values(invite);
    const [oldest] = await this.#db
      .select({ createdAt: roomInvites.createdAt })
      .from(roomInvites)
      .where(eq(roomInvites.roomName, invite.roomName))
      .orderBy(desc(roomInvites.createdAt))
      .offset(atMost - 1)
      .limit(1);
    if (!oldest) return;
    await this.#db
      .delete(roomInvites)
      .where(and(eq(roomInvites.roomName, invite.roomName), lt(roomInvites.createdAt, oldest.createdAt)));
  }

  /** When a valid invitation to this room was made; null if there is none with this hash. */
  async invitedAt(roomName: string, secretHash: string, now: Date): Promise<Date | null> {
    const [invite] = await this.#db
      .select({ createdAt: roomInvites.createdAt })
      .from(roomInvites)
      .where(
        and(
          eq(roomInvites.secretHash, secretHash),
          eq(roomInvites.roomName, roomName),
          gt(roomInvites.expiresAt, now),
        ),
      );
    return invite?.createdAt ?? null;
  }

  async guest(roomName: string, userId: string): Promise<Guest | null> {
    const [guest] = await this.#db
      .select()
      .from(roomGuests)
      .where(and(eq(roomGuests.roomName, roomName), eq(roomGuests.userId, userId)));
    return guest ?? null;
  }

  async setGuest(roomName: string, userId: string, change: GuestChange): Promise<void> {
    await this.#db
      .insert(roomGuests)
      .values({ roomName, userId, ...change })
      .onConflictDoUpdate({ target: [roomGuests.roomName, roomGuests.userId], set: change });
  }

  /** People in the lobby who asked since and were not admitted, by name. */
  async waiting(roomName: string, since: Date, limit: number): Promise<{ identity: string; name: string }[]> {
    return this.#db
      .select({ identity: sql<string>`${roomGuests.userId}`, name: users.name })
      .from(roomGuests)
      .innerJoin(users, eq(users.id, roomGuests.userId))
      .where(
        and(
          eq(roomGuests.roomName, roomName),
          gt(roomGuests.knockedAt, since),
          isNull(roomGuests.admittedAt),
        ),
      )
      .orderBy(asc(users.name), asc(users.id))
      .limit(limit);
  }
}

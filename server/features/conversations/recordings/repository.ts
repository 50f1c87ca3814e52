import { and, asc, eq, getTableColumns, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { conversations, recordings, users } from '#server/database/schema';
import { contactIn, inScope, seenBy } from '#server/database/scoped';
import { agreeOnSecret } from '#server/database/secrets';
import type { Sight } from '#server/lib/principal';
import type { ContactScope, Scope } from '#server/lib/scope';

export type RecordingRecord = typeof recordings.$inferSelect;

interface NewRecording {
  id: string;
  speaker: RecordingRecord['speaker'];
  /** Its message, if known. */
  messageId: string | null;
  storageKey: string;
  mediaType: string;
  bytes: number;
  durationMs: number | null;
  /** Normalised by `spokenText`. */
  transcript: string | null;
  at: Date;
}

/** The most bytes and recordings to store. */
export interface RecordingBounds {
  conversationBytes: number;
  conversationCount: number;
  userBytes: number;
}

export type Room = 'free' | 'missing' | 'conversation-full' | 'user-full';
export type InsertOutcome = 'stored' | Exclude<Room, 'free'>;

/**
 * The rows of recordings, beside their bytes. Every statement names the contact, except those that clean up and the one
 * for a signed link: the link is the permission. Ids must be well-formed UUIDs.
 */
export class RecordingsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The number of all recordings, and their bytes. */
  async totals(): Promise<{ count: number; bytes: number }> {
    const [row] = await this.#db
      .select({
        count: sql<number>`count(*)::float8`,
        bytes: sql<number>`coalesce(sum(${recordings.bytes}), 0)::float8`,
      })
      .from(recordings);
    return { count: row?.count ?? 0, bytes: row?.bytes ?? 0 };
  }

  /** The value that every instance agrees on: the first one proposed under this name. */
  agree(name: string, proposal: string): Promise<string> {
    return agreeOnSecret(this.#db, name, proposal);
  }

  /** Whether a recording of this size fits into a conversation of theirs. */
  async room(
    scope: ContactScope,
    conversationId: string,
    bytes: number,
    bounds: RecordingBounds,
  ): Promise<Room> {
    return roomIn(this.#db, scope, conversationId, bytes, bounds);
  }

  /**
   * Stores a recording, unless its conversation has gone or the limits are reached. Locks in the order of deleting a
   * conversation, and keep the limits exact under simultaneous uploads.
   */
  async insert(
    scope: ContactScope,
    conversationId: string,
    recording: NewRecording,
    bounds: RecordingBounds,
  ): Promise<InsertOutcome> {
    return this.#db.transaction(async (tx) => {
      const [owned] = await tx
        .select({ id: conversations.id })
        .from(conversations)
        .where(and(inScope(conversations, scope), eq(conversations.id, conversationId)))
        .for('no key update');
      if (!owned) return 'missing';
      await tx.execute(sql`select 1 from contacts where id = ${scope.contactId}::uuid for no key update`);
      const room = await roomIn(tx, scope, conversationId, recording.bytes, bounds);
      if (room !== 'free') return room;
      const { at, ...values } = recording;
      const rows = await tx
        .insert(recordings)
        .values({ ...values, contactId: scope.contactId, conversationId, createdAt: at })
        .onConflictDoNothing()
        .returning({ id: recordings.id });
      return rows.length > 0 ? 'stored' : 'missing';
    });
  }

  /**
   * Attaches a recording to the newest message of the customer in this conversation, if it has the same words, no
   * recording yet, and came after `since`.
   */
  async attachToNewest(
    scope: ContactScope,
    conversationId: string,
    recordingId: string,
    since: Date,
  ): Promise<boolean> {
    const { rows } = await this.#db.execute<{ id: string }>(sql`
      update recordings as r set message_id = newest.id
      from (
        select m.id, m.content, m.created_at from messages m
        join conversations c on c.id = m.conversation_id
        where c.id = ${conversationId}::uuid and c.contact_id = ${scope.contactId}::uuid and c.workspace_id = ${scope.workspaceId}::uuid and m.role = 'user'
        order by m.id desc limit 1
      ) as newest
      where r.id = ${recordingId}::uuid and r.conversation_id = ${conversationId}::uuid and r.message_id is null
        and newest.created_at >= ${since.toISOString()}::timestamptz
        and r.transcript = btrim(regexp_replace(newest.content, '\\s+', ' ', 'g'))
        and not exists (select 1 from recordings other where other.message_id = newest.id)
      returning r.id
    `);
    return rows.length > 0;
  }

  /**
   * Attaches the newest recording that waits for these words, and came after `since`, to their message.
   * @param transcript normalised by `spokenText`
   */
  async attachWaiting(
    scope: ContactScope,
    conversationId: string,
    messageId: string,
    transcript: string,
    since: Date,
  ): Promise<boolean> {
    const { rows } = await this.#db.execute<{ id: string }>(sql`
      update recordings set message_id = ${messageId}::uuid
      where id = (
        select id from recordings
        where conversation_id = ${conversationId}::uuid and contact_id = ${contactIn(scope)} and speaker = 'customer'
          and message_id is null and transcript = ${transcript} and created_at >= ${since.toISOString()}::timestamptz
        order by id desc limit 1
      )
      and not exists (select 1 from recordings other where other.message_id = ${messageId}::uuid)
      returning id
    `);
    return rows.length > 0;
  }

  /** The recordings of messages in these conversations. */
  async ofMessages(
    scope: Scope,
    conversationIds: readonly string[],
  ): Promise<Pick<RecordingRecord, 'id' | 'contactId' | 'messageId' | 'durationMs'>[]> {
    if (conversationIds.length === 0) return [];
    return this.#db
      .select({
        id: recordings.id,
        contactId: recordings.contactId,
        messageId: recordings.messageId,
        durationMs: recordings.durationMs,
      })
      .from(recordings)
      .innerJoin(conversations, eq(conversations.id, recordings.conversationId))
      .where(
        and(
          inScope(conversations, scope),
          inArray(recordings.conversationId, [...conversationIds]),
          isNotNull(recordings.messageId),
        ),
      )
      .orderBy(asc(recordings.id));
  }

  /** Every recording of a conversation, oldest first. */
  async ofConversation(scope: ContactScope, conversationId: string): Promise<RecordingRecord[]> {
    return this.#db
      .select()
      .from(recordings)
      .where(and(eq(recordings.contactId, contactIn(scope)), eq(recordings.conversationId, conversationId)))
      .orderBy(asc(recordings.id));
  }

  async ofMessage(scope: ContactScope, messageId: string): Promise<RecordingRecord | null> {
    const [row] = await this.#db
      .select()
      .from(recordings)
      .where(and(eq(recordings.contactId, contactIn(scope)), eq(recordings.messageId, messageId)))
      .limit(1);
    return row ?? null;
  }

  /** The version that a viewer's links depend on: it changes when one of their sessions ends. */
  async linkVersion(viewerId: string): Promise<number> {
    const [row] = await this.#db
      .select({ linkVersion: users.linkVersion })
      .from(users)
      .where(eq(users.id, viewerId));
    return row?.linkVersion ?? 0;
  }

  /** The recording of a signed link: the link is the permission. */
  async find(id: string): Promise<RecordingRecord | null> {
    const [row] = await this.#db.select().from(recordings).where(eq(recordings.id, id));
    return row ?? null;
  }

  /** A recording of a conversation that the viewer may see. */
  async findSeen(sight: Sight, id: string): Promise<RecordingRecord | null> {
    const [row] = await this.#db
      .select(getTableColumns(recordings))
      .from(recordings)
      .innerJoin(conversations, eq(conversations.id, recordings.conversationId))
      .where(and(seenBy(sight), eq(recordings.id, id)));
    return row ?? null;
  }

  /** The conversations that a member may see now; null if they are gone. */
  async sightOf(memberId: string): Promise<Sight | null> {
    const [row] = await this.#db
      .select({ workspaceId: users.workspaceId, role: users.role })
      .from(users)
      .where(eq(users.id, memberId));
    return row ? { workspaceId: row.workspaceId, viewerId: memberId, seesAll: row.role !== 'member' } : null;
  }

  async delete(scope: ContactScope, id: string): Promise<void> {
    await this.#db
      .delete(recordings)
      .where(and(eq(recordings.id, id), eq(recordings.contactId, contactIn(scope))));
  }

  /** Those of these keys that belong to a recording. */
  async knownKeys(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#db
      .select({ key: recordings.storageKey })
      .from(recordings)
      .where(inArray(recordings.id, [...ids]));
    return new Set(rows.map(({ key }) => key));
  }

  /** Deletes recordings whose message has not come by now. @returns the keys of their bytes */
  async deleteWaiting(before: Date): Promise<string[]> {
    const rows = await this.#db
      .delete(recordings)
      .where(and(isNull(recordings.messageId), lt(recordings.createdAt, before)))
      .returning({ key: recordings.storageKey });
    return rows.map(({ key }) => key);
  }
}

async function roomIn(
  db: Pick<Db, 'execute'>,
  scope: ContactScope,
  conversationId: string,
  bytes: number,
  bounds: RecordingBounds,
): Promise<Room> {
  const { rows } = await db.execute<{ room: Room }>(sql`
    select case
      when p.recording_bytes + ${bytes}::bigint > ${bounds.userBytes}::bigint then 'user-full'
      when used.bytes + ${bytes}::bigint > ${bounds.conversationBytes}::bigint
        or used.pieces >= ${bounds.conversationCount}::bigint then 'conversation-full'
      else 'free'
    end as room
    from conversations c
    join contacts p on p.id = c.contact_id,
    lateral (
      select coalesce(sum(r.bytes), 0) as bytes, count(*) as pieces from recordings r where r.conversation_id = c.id
    ) used
    where c.id = ${conversationId}::uuid and c.contact_id = ${scope.contactId}::uuid and c.workspace_id = ${scope.workspaceId}::uuid
  `);
  return rows[0]?.room ?? 'missing';
}

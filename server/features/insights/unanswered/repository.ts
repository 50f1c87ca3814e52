import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { unansweredQuestions, workspaces } from '#server/database/schema';
import type { Scope } from '#server/lib/scope';

/** A question that was not compared with others yet. */
interface WaitingQuestion {
  messageId: string;
  workspaceId: string;
  agentId: string | null;
  question: string;
}

/** Questions of one meaning, represented by the oldest remaining one. */
export interface QuestionGroup {
  id: string;
  question: string;
  vector: Float32Array;
}

interface ListedGroup {
  id: string;
  question: string;
  count: number;
  lastAskedMs: number;
  agentId: string | null;
  agentName: string;
  conversations: string[];
}

/** A group found by its id, or by the id of a question in it. */
export interface FoundGroup {
  id: string;
  /** The newest question of the group. */
  question: string;
  agentId: string | null;
}

/** More groups of one agent than people will answer; older ones are not compared any more. */
const COMPARED_GROUPS = 500;
/** Enough to see what customers meant. */
const LISTED_CONVERSATIONS = 50;

const groupOf = sql<string>`coalesce(${unansweredQuestions.groupId}, ${unansweredQuestions.messageId})`;

/**
 * Unanswered questions; `conversations` writes them with their replies. Statements name the owner, except `waiting`,
 * which works for all. Ids must be well-formed UUIDs; the service checks them.
 */
export class UnansweredRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The user's open groups: the most frequent first; among equals, the latest question first. */
  async list(scope: Scope, limit: number): Promise<ListedGroup[]> {
    const { rows } = await this.#db.execute<{ group: ListedGroup }>(sql`
      select json_build_object(
        'id', id, 'question', question, 'count', count, 'agentId', agent_id, 'agentName', agent_name,
        'lastAskedMs', round(extract(epoch from last_asked) * 1000), 'conversations', conversations
      ) as "group"
      from (
        select coalesce(group_id, message_id) as id, count(*)::int as count, max(asked_at) as last_asked, agent_id,
          (array_agg(question order by message_id desc))[1] as question,
          (array_agg(agent_name order by message_id desc))[1] as agent_name,
          (array_agg(distinct conversation_id order by conversation_id desc))[1:${sql.raw(String(LISTED_CONVERSATIONS))}]
            as conversations
        from unanswered_questions
        where workspace_id = ${scope.workspaceId} and resolved_at is null and answered_by is null
        group by 1, agent_id
        order by count desc, last_asked desc, id desc
        limit ${limit}
      ) as groups
      order by count desc, last_asked desc, id desc`);
    return rows.map(({ group }) => group);
  }

  /** A group, resolved or not. */
  async find(scope: Scope, id: string): Promise<FoundGroup | null> {
    const theirs = eq(unansweredQuestions.workspaceId, scope.workspaceId);
    const [row] = await this.#db
      .select({
        id: groupOf,
        question: unansweredQuestions.question,
        agentId: unansweredQuestions.agentId,
      })
      .from(unansweredQuestions)
      .where(
        and(
          theirs,
          sql`${groupOf} = coalesce((
            select ${groupOf} from ${unansweredQuestions}
            where ${theirs} and ${unansweredQuestions.messageId} = ${id}::uuid
          ), ${id}::uuid)`,
        ),
      )
      .orderBy(desc(unansweredQuestions.messageId))
      .limit(1);
    return row ?? null;
  }

  /** Removes a group from the list. Asked again later, its question is listed as a new one. */
  async resolve(scope: Scope, groupId: string, at: Date): Promise<void> {
    await this.#db
      .update(unansweredQuestions)
      .set({ resolvedAt: at })
      .where(
        and(
          eq(unansweredQuestions.workspaceId, scope.workspaceId),
          sql`${groupOf} = ${groupId}::uuid`,
          isNull(unansweredQuestions.resolvedAt),
        ),
      );
  }

  /** All questions that were not compared with others yet, oldest first. */
  async waiting(limit: number): Promise<WaitingQuestion[]> {
    const { messageId, workspaceId, agentId, question } = unansweredQuestions;
    return this.#db
      .select({ messageId, workspaceId, agentId, question })
      .from(unansweredQuestions)
      .where(isNull(unansweredQuestions.groupId))
      .orderBy(asc(messageId))
      .limit(limit);
  }

  /**
   * The open groups that a question may belong to. @param vectorOf names the weights: groups of other weights are
   * omitted
   */
  async groups(
    question: Pick<WaitingQuestion, 'workspaceId' | 'agentId'>,
    vectorOf: string,
  ): Promise<QuestionGroup[]> {
    return this.#groups(this.#db, question, vectorOf);
  }

  /**
   * Puts a question into a group, unless it has one. Serialised per workspace, so that two questions of one meaning do
   * not both start a group.
   * @param vectorOf names the weights of the vector; groups of other weights are not offered to `choose`
   * @param choose the group it belongs to; null starts a new one
   */
  async place(
    { messageId, workspaceId, agentId }: WaitingQuestion,
    vector: Float32Array,
    vectorOf: string,
    choose: (groups: readonly QuestionGroup[]) => string | null,
  ): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx
        .select({ id: workspaces.id })
        .from(workspaces)
        .where(eq(workspaces.id, workspaceId))
        .for('no key update');
      const known = await this.#groups(tx, { workspaceId, agentId }, vectorOf);
      await tx
        .update(unansweredQuestions)
        .set({ groupId: choose(known) ?? messageId, vector: bytesOf(vector), vectorOf })
        .where(and(eq(unansweredQuestions.messageId, messageId), isNull(unansweredQuestions.groupId)));
    });
  }

  async #groups(
    db: Pick<Db, 'selectDistinctOn'>,
    { workspaceId, agentId }: Pick<WaitingQuestion, 'workspaceId' | 'agentId'>,
    vectorOf: string,
  ): Promise<QuestionGroup[]> {
    const groups = await db
      .selectDistinctOn([unansweredQuestions.groupId], {
        id: unansweredQuestions.groupId,
        question: unansweredQuestions.question,
        vector: unansweredQuestions.vector,
      })
      .from(unansweredQuestions)
      .where(
        and(
          eq(unansweredQuestions.workspaceId, workspaceId),
          agentId === null ? isNull(unansweredQuestions.agentId) : eq(unansweredQuestions.agentId, agentId),
          isNull(unansweredQuestions.resolvedAt),
          eq(unansweredQuestions.vectorOf, vectorOf),
        ),
      )
      .orderBy(desc(unansweredQuestions.groupId), asc(unansweredQuestions.messageId))
      .limit(COMPARED_GROUPS);
    return groups.flatMap(({ id, question, vector }) =>
      id && vector ? [{ id, question, vector: floatsOf(vector) }] : [],
    );
  }
}

const bytesOf = (vector: Float32Array) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** The driver's bytes may start at any offset; floats need a multiple of four. */
const floatsOf = (bytes: Uint8Array) => new Float32Array(Uint8Array.from(bytes).buffer);

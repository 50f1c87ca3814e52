import { and, eq } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { agents } from '#server/database/schema';

export type AgentRecord = typeof agents.$inferSelect;

/** A user's own agents. Every statement names the owner. */
export class AgentsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async find(userId: string, id: string): Promise<AgentRecord | null> {
    const [row] = await this.#db
      .select()
      .from(agents)
      .where(and(eq(agents.userId, userId), eq(agents.id, id)));
    return row ?? null;
  }
}

import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { prepareDataDirectory } from '#server/database/embedded/data-directory';
import { startEmbeddedPostgres } from '#server/database/embedded/postgres';
import { hashToken } from '#server/lib/tokens';

const migrations = new URL('../../server/database/migrations/', import.meta.url);

/** Enough that bringing them up to date takes a while. */
const CONVERSATIONS = 500;
const MESSAGES = 20;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface OldAccount {
  token: string;
  conversationIds: string[];
  /** In each of its conversations. */
  messages: number;
}

/** Makes a data directory as the first release left it: an account, its session, what it said. */
export async function leaveFirstRelease(dataDir: string): Promise<OldAccount> {
  await mkdir(dataDir);
  const postgres = await startEmbeddedPostgres({ directory: await prepareDataDirectory(dataDir) });
  const client = new pg.Client({ user: 'postgres', database: 'postgres', stream: () => postgres.connect() });
  await client.connect();
  try {
    const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
      readFileSync(new URL('meta/_journal.json', migrations), 'utf8'),
    );
    const [first] = journal.entries;
    await client.query(readFileSync(new URL(`${first?.tag}.sql`, migrations), 'utf8'));
    await client.query(
      'create schema drizzle; create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
    );
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
      'first',
      first?.when,
    ]);
    const account = { token: 'the-first-release-gave-this-token-012345678', conversationIds: [''] };
    account.conversationIds = Array.from({ length: CONVERSATIONS }, () => uuidv7());
    const userId = uuidv7();
    await client.query(
      "insert into users (id, name, email, password_hash) values ($1, 'Ada', 'ada@example.com', 'x')",
      [userId],
    );
    await client.query('insert into sessions (token_hash, user_id, expires_at) values ($1, $2, $3)', [
      hashToken(account.token),
      userId,
      new Date(Date.now() + 10 * DAY_MS),
    ]);
    await client.query(
      "insert into conversations (id, user_id, agent_name, company_name, title, message_count) select unnest($1::uuid[]), $2, 'Sigma', 'Northwind', 'Delivery To Norway', $3",
      [account.conversationIds, userId, MESSAGES],
    );
    const ids = account.conversationIds.flatMap((id) => Array.from({ length: MESSAGES }, () => id));
    await client.query(
      "insert into messages (id, conversation_id, role, content) select unnest($1::uuid[]), unnest($2::uuid[]), 'user', 'Do you ship to Norway?'",
      [ids.map(() => uuidv7()), ids],
    );
    return { ...account, messages: MESSAGES };
  } finally {
    await client.end();
    await postgres.close();
  }
}

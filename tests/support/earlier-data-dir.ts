import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/database/embedded/postgres';
import { freshDataDir } from './fresh-data-dir.ts';

const migrations = fileURLToPath(new URL('../../server/database/migrations', import.meta.url));

interface Journal {
  entries: { tag: string }[];
}

const readJournal = async (): Promise<Journal> =>
  JSON.parse(await readFile(join(migrations, 'meta', '_journal.json'), 'utf8'));

export const migrationCount = async (): Promise<number> => (await readJournal()).entries.length;

const id = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** A user's data in an earlier version, whichever it was. */
export const earlierData = {
  token: 'T'.repeat(43),
  user: id(1),
  agent: id(2),
  conversation: id(3),
  question: id(4),
  reply: id(5),
  recording: id(6),
};

/**
 * A data directory as it was after the first migrations, with a signed-in account, its agent, a conversation
 * and, where supported, a recording. The caller removes it.
 * @param fillWith writes other data
 */
export async function earlierDataDir(count: number, fillWith = fill): Promise<string> {
  const dataDir = await freshDataDir();
  const postgres = await startEmbeddedPostgres({ directory: join(dataDir, 'database') });
  const client = new pg.Client({ user: 'postgres', database: 'postgres', stream: () => postgres.connect() });
  try {
    await client.connect();
    await client.query('drop schema public cascade; drop schema drizzle cascade; create schema public');
    await migrateToEarlier(client, count);
    await fillWith(client);
    return dataDir;
  } finally {
    await client.end();
    await postgres.close();
  }
}

/** Brings an empty database to its schema after the first migrations. */
export async function migrateToEarlier(client: pg.Client, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sigma-migrations-'));
  try {
    await cp(migrations, folder, { recursive: true });
    const journal = await readJournal();
    const earlier = { ...journal, entries: journal.entries.slice(0, count) };
    await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify(earlier));
    await migrate(drizzle({ client }), { migrationsFolder: folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function fill(client: pg.Client): Promise<void> {
  const { token, user, agent, conversation, question, reply, recording } = earlierData;
  const hash = createHash('sha256').update(token).digest('hex');
  const columnsOf = async (table: string) => {
    const { rows } = await client.query<{ name: string }>(
      'select column_name as name from information_schema.columns where table_name = $1',
      [table],
    );
    return rows.map(({ name }) => name);
  };
  // Before workspaces existed, everything belonged to an account.
  const hasWorkspaces = (await columnsOf('workspaces')).length > 0;
  const [agentOf, talkOf] = hasWorkspaces
    ? ['workspace_id', 'workspace_id, channel, contact_id']
    : ['user_id', 'user_id'];
  const talker = hasWorkspaces ? `'${user}', 'page', '${user}'` : `'${user}'`;
  const hasRoles = (await columnsOf('users')).includes('role');
  await client.query(`
    insert into users (id, name, email, password_hash${hasRoles ? ', role' : ''}${hasWorkspaces ? ', workspace_id, is_installation_owner' : ''})
      values ('${user}', 'Ada', 'ada@example.com', 'x'${hasRoles ? ", 'owner'" : ''}${hasWorkspaces ? `, '${user}', true` : ''});
    insert into sessions (token_hash, user_id, expires_at) values ('${hash}', '${user}', now() + interval '7 days');
    insert into agents (id, ${agentOf}, name, company_name, personality, company_info, prompts) values
      ('${agent}', '${user}', 'Mia', 'Contoso', 'Brisk.', 'We are open at night.', '[]');
    insert into conversations (id, ${talkOf}, agent_id, agent_name, company_name, title, message_count, first_message_at, last_message_at) values
      ('${conversation}', ${talker}, '${agent}', 'Mia', 'Contoso', 'Opening Hours', 2, now(), now());
    insert into messages (id, conversation_id, role, content, reply_to, response_id) values
      ('${question}', '${conversation}', 'user', 'When are you open?', null, null),
      ('${reply}', '${conversation}', 'assistant', 'We are open at night.', '${question}', '${reply}');
  `);
  // Since then, saving an agent creates a version.
  if ((await columnsOf('agent_versions')).length > 0)
    await client.query(`
      insert into agent_versions (agent_id, version, user_id, content, changed, created_at)
      select id, 1, '${user}', jsonb_build_object('name', name, 'companyName', company_name, 'personality', personality,
        'companyInfo', company_info, 'prompts', prompts, 'language', language, 'masks', masks, 'documents', '[]'::jsonb,
        'actions', '[]'::jsonb), '[]', updated_at from agents
    `);
  const ofRecordings = await columnsOf('recordings');
  if (ofRecordings.length === 0) return;
  const ownedBy = ['user_id', 'contact_id'].find((column) => ofRecordings.includes(column));
  await client.query(`
    insert into recordings (id, conversation_id, message_id, speaker, storage_key, media_type, bytes, duration_ms, transcript${ownedBy ? `, ${ownedBy}` : ''}) values
      ('${recording}', '${conversation}', '${question}', 'customer', 'recordings/a', 'audio/webm', 1234, 1000, 'when are you open'${ownedBy ? `, '${user}'` : ''})
  `);
}

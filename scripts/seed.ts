// `npm run seed -- --user you@example.com [--conversations 1000] [--messages 20] [--database postgresql://…]
// [--data-dir ./data]`:
// fills an account with conversations for viewing and measuring; creates the account if it does not exist.
// For the embedded database, stop the server first; without --database and --data-dir the server's settings
// apply.
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { type Database, openDatabase } from '#server/database/open';
import { createPasswords } from '#server/features/accounts/passwords';
import { AccountsRepository } from '#server/features/accounts/repository';
import { StartError } from '#server/lib/start-error';
import { readConfig } from '#server/settings/config';
import { registrationSchema } from '#shared/accounts';
import { seedConversations } from './seed/seed-conversations.ts';

const { values } = parseArgs({
  options: {
    user: { type: 'string' },
    name: { type: 'string', default: 'Sam Seed' },
    password: { type: 'string', default: 'a seeded account' },
    conversations: { type: 'string', default: '1000' },
    messages: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    until: { type: 'string', default: new Date().toISOString() },
    database: { type: 'string' },
    'data-dir': { type: 'string' },
  },
});

try {
  await run();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const account = registrationSchema.safeParse({
    name: values.name,
    email: values.user,
    password: values.password,
  });
  if (!account.success) throw new StartError(`Name an account: ${account.error.issues[0]?.message ?? ''}`);
  const config = readConfig();
  const databaseUrl = values.database ?? (values['data-dir'] ? null : config.databaseUrl);
  const dataDir = values['data-dir'] ? resolve(values['data-dir']) : config.dataDir;
  const conversations = count('conversations');
  const database = await openDatabase({ dataDir, databaseUrl });
  try {
    const userId = await findOrMakeUser(database, account.data);
    const started = Date.now();
    await seedConversations(database, {
      userId,
      conversations,
      messages: count('messages'),
      until: new Date(values.until),
      seed: count('seed'),
      onProgress: (done) => {
        if (done % 10_000 === 0) console.log(`${done.toLocaleString('en')} conversations`);
      },
    });
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(
      `${conversations.toLocaleString('en')} conversations for ${account.data.email} in ${seconds} s.`,
    );
  } finally {
    await database.close();
  }
}

async function findOrMakeUser(
  database: Database,
  { name, email, password }: { name: string; email: string; password: string },
): Promise<string> {
  const accounts = new AccountsRepository(database.db);
  const known = await accounts.findByEmail(email);
  if (known) return known.id;
  const id = uuidv7();
  const user = { id, name, email, passwordHash: await createPasswords().hash(password) };
  await accounts.insertUser(user, 'alone');
  console.log(`Made the account ${email} with the password "${password}".`);
  return id;
}

function count(name: 'conversations' | 'messages' | 'seed'): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1) throw new StartError(`Use a whole number for --${name}.`);
  return value;
}

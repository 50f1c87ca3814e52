// `npm run reset-password -- you@example.com`: gives an account a new password, prints it, and ends every session of the
// account. For whoever has the machine: with the embedded database while the server is stopped.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { readConfig } from '#server/config';
import { type Database, openDatabase } from '#server/database/open';
import { createPasswords } from '#server/features/accounts/passwords';
import { AccountsRepository } from '#server/features/accounts/repository';
import { SessionsRepository } from '#server/features/accounts/sessions/repository';
import { SessionsService } from '#server/features/accounts/sessions/service';
import { AuditRepository } from '#server/features/audit/repository';
import { AuditService } from '#server/features/audit/service';
import { LockHeld } from '#server/lock-file';
import { StartError } from '#server/start-error';
import { say } from './say.ts';

/** Nothing that reads like something else: 31 characters, of which 20 are worth 99 bits. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_CHARACTERS = 5;

await say(run);

async function run(): Promise<string> {
  const { dataDir, databaseUrl } = readConfig();
  if (!databaseUrl && !existsSync(dataDir))
    throw new StartError(`There is no data directory ${dataDir}: say where it is with DATA_DIR.`);
  const email = (process.argv[2] ?? (await ask('Email address of the account: '))).trim().toLowerCase();
  const database = await open(dataDir, databaseUrl);
  try {
    return await reset(database, email);
  } finally {
    await database.close();
  }
}

async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new StartError('Say whose password it is: npm run reset-password -- you@example.com');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

async function open(dataDir: string, databaseUrl: string | null): Promise<Database> {
  try {
    return await openDatabase({ dataDir, databaseUrl });
  } catch (error) {
    const holder = error instanceof StartError ? error.cause : null;
    if (!(holder instanceof LockHeld)) throw error;
    const which = holder.pid === null ? '' : ` (process ${holder.pid})`;
    throw new StartError(
      `Sigma is running with the data directory ${dataDir}${which}. Stop it, run this again, and start it again: until it is stopped, no password can be changed from here.`,
      { cause: error },
    );
  }
}

async function reset({ db }: Database, email: string): Promise<string> {
  const accounts = new AccountsRepository(db);
  const user = await accounts.findByEmail(email);
  if (!user)
    throw new StartError(`There is no account with the email address ${email}: nothing was changed.`);
  const audit = new AuditService(new AuditRepository(db), (error) => {
    throw error;
  });
  const password = newPassword();
  await accounts.changePassword(user.id, await createPasswords().hash(password));
  await new SessionsService({ repository: new SessionsRepository(db), audit }).endAll(user.id);
  await audit.record({ action: 'password-reset', actor: user, subject: 'by npm run reset-password' });
  return `The new password of ${email} is ${password}\nIt is shown this once. Sign in with it and choose another one under Settings, Account and security. Every session of this account has ended.`;
}

function newPassword(): string {
  const group = () =>
    Array.from({ length: GROUP_CHARACTERS }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

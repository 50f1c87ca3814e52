// `npm run reset-password -- you@example.com`: takes an account's password away, ends every session of it and prints a
// link by which its owner sets a new one; `--remove-second-factor` takes that away, too. For whoever has the machine: with the
// embedded database while the server is stopped.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { type Config, readConfig } from '#server/config';
import { type Database, openDatabase } from '#server/database/open';
import { RecoveryRepository } from '#server/features/accounts/recovery/repository';
import { newResetLink, RESET_LINK_MINUTES } from '#server/features/accounts/recovery/reset-links';
import { AccountsRepository } from '#server/features/accounts/repository';
import { SecondFactorRepository } from '#server/features/accounts/second-factor/repository';
import { SessionsRepository } from '#server/features/accounts/sessions/repository';
import { SessionsService } from '#server/features/accounts/sessions/service';
import { AuditRepository } from '#server/features/audit/repository';
import { AuditService } from '#server/features/audit/service';
import { LockHeld } from '#server/lock-file';
import { StartError } from '#server/start-error';
import { say } from './say.ts';

const REMOVE_FACTOR = '--remove-second-factor';

await say(run);

async function run(): Promise<string> {
  const config = readConfig();
  const { dataDir, databaseUrl } = config;
  if (!databaseUrl && !existsSync(dataDir))
    throw new StartError(`There is no data directory ${dataDir}: say where it is with DATA_DIR.`);
  const removesFactor = process.argv.includes(REMOVE_FACTOR);
  const [, , given] = process.argv.filter((argument) => argument !== REMOVE_FACTOR);
  const email = (given ?? (await ask('Email address of the account: '))).trim().toLowerCase();
  const database = await open(dataDir, databaseUrl);
  try {
    return await reset(database, email, pageUrl(config), removesFactor);
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

/** Where the page will be found: what customers see, or this machine. */
function pageUrl({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl) return publicUrl;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

async function reset({ db }: Database, email: string, page: string, removesFactor: boolean): Promise<string> {
  const accounts = new AccountsRepository(db);
  const user = await accounts.findByEmail(email);
  if (!user)
    throw new StartError(`There is no account with the email address ${email}: nothing was changed.`);
  const audit = new AuditService(new AuditRepository(db), (error) => {
    throw error;
  });
  const { link, row } = newResetLink(user.id, page, Date.now());
  await new RecoveryRepository(db).insert(row);
  await accounts.changePassword(user.id, null);
  await new SessionsService({ repository: new SessionsRepository(db), audit }).endAll(user.id);
  const hadFactor = removesFactor && (await new SecondFactorRepository(db).delete(user.id));
  const subject = `by npm run reset-password${hadFactor ? ', without the second factor' : ''}`;
  await audit.record({ action: 'password-reset', actor: user, subject });
  const factor = hadFactor ? ' Its second factor is gone.' : '';
  return `Open this link to choose a new password for ${email}:\n${link}\nIt works once, for ${RESET_LINK_MINUTES} minutes, and is shown this once. The old password works no longer, and every session of this account has ended.${factor}`;
}

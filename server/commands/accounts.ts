import { existsSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { type Database, openDatabase } from '#server/database/open';
import { RecoveryRepository } from '#server/features/accounts/recovery/repository';
import { newResetLink } from '#server/features/accounts/recovery/reset-links';
import { AccountsRepository } from '#server/features/accounts/repository';
import { SessionsRepository } from '#server/features/accounts/sessions/repository';
import { SessionsService } from '#server/features/accounts/sessions/service';
import { AuditRepository } from '#server/features/audit/repository';
import { AuditService } from '#server/features/audit/service';
import { LockHeld } from '#server/lib/lock-file';
import { StartError } from '#server/lib/start-error';
import { type Config, readConfig } from '#server/settings/config';

/** Arguments of a command about one account, and its sentences where it cannot do it. */
interface AccountCommand {
  /** Where nobody can be asked: what is missing, and how it is given. */
  missing: string;
  /** While the server has the database: what cannot be done, such as "no password can be changed". */
  waits: string;
  /** The email address among the arguments. */
  given: string | undefined;
}

export interface AccountTools {
  db: Database['db'];
  /** As `users.email` is written. */
  email: string;
  accounts: AccountsRepository;
  /** Throws where an entry cannot be written. */
  audit: AuditService;
  /**
   * Takes an account's password away and ends every session of it; it waits for no choice any more.
   * @returns the link by which its owner sets a new password, and a sentence about what its owner has to know
   */
  takePassword(userId: string): Promise<{ link: string; note: string }>;
}

/**
 * Does something to an account, for whoever has the machine: with the embedded database while the server is stopped.
 * @throws StartError with the sentence that the command ends with
 */
export async function onAccount(
  { missing, waits, given }: AccountCommand,
  act: (tools: AccountTools) => Promise<string>,
): Promise<string> {
  const config = readConfig();
  const { dataDir, databaseUrl } = config;
  if (!databaseUrl && !existsSync(dataDir))
    throw new StartError(`There is no data directory ${dataDir}: say where it is with DATA_DIR.`);
  const email = (given ?? (await ask('Email address of the account: ', missing))).trim().toLowerCase();
  const database = await open(config, waits);
  try {
    const { db } = database;
    const accounts = new AccountsRepository(db);
    const audit = new AuditService(new AuditRepository(db), (error) => {
      throw error;
    });
    const sessions = new SessionsService({ repository: new SessionsRepository(db), audit });
    return await act({
      db,
      email,
      accounts,
      audit,
      async takePassword(userId) {
        await accounts.changePassword(userId, null);
        const { link, row } = newResetLink(userId, pageUrl(config), Date.now());
        await new RecoveryRepository(db).insert(row);
        await sessions.endAll(userId);
        const note = (await accounts.release(userId))
          ? ' What somebody left in it before its address was confirmed is there: look through its agents and their actions.'
          : '';
        return { link, note };
      },
    });
  } finally {
    await database.close();
  }
}

async function ask(question: string, missing: string): Promise<string> {
  if (!process.stdin.isTTY) throw new StartError(missing);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

async function open(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  waits: string,
): Promise<Database> {
  try {
    return await openDatabase({ dataDir, databaseUrl });
  } catch (error) {
    const holder = error instanceof StartError ? error.cause : null;
    if (!(holder instanceof LockHeld)) throw error;
    const which = holder.pid === null ? '' : ` (process ${holder.pid})`;
    throw new StartError(
      `Sigma is running with the data directory ${dataDir}${which}. Stop it, run this again, and start it again: until it is stopped, ${waits} from here.`,
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

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Db, openDatabase } from '#server/database/open';
import { auditLog, passwordResets, secondFactors, sessions, users } from '#server/database/schema';
import { aUser } from '../../tests/factories.ts';
import { freshDataDir } from '../../tests/support/fresh-data-dir.ts';
import { startProgram } from '../../tests/support/programs.ts';
import { openTestApp } from '../../tests/support/test-app.ts';

let dataDir: string;
const user = aUser({ email: 'ada@example.com' });
beforeAll(async () => {
  dataDir = await freshDataDir();
  const { db, close } = await openDatabase({ dataDir, databaseUrl: null });
  await db.insert(users).values(user);
  await db.insert(sessions).values({ tokenHash: 'x', userId: user.id, expiresAt: new Date(4e12) });
  await close();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function run(args: string[], dir = dataDir) {
  const program = startProgram('server/commands/reset-password.ts', args, { DATA_DIR: dir });
  return { code: await program.ended, ...program.output() };
}

it('takes the password away, tells a link that expires, ends sessions and leaves a trace', async () => {
  const { code, stdout, stderr } = await run([' Ada@Example.com']);
  expect([code, stderr]).toEqual([0, '']);
  const [, token = ''] = /^http:\/\/127\.0\.0\.1:3000\/reset-password#token=([\w-]{43})$/m.exec(stdout) ?? [];
  expect(token).not.toBe('');
  const { db, close } = await openDatabase({ dataDir, databaseUrl: null });
  try {
    const [found] = await db.select().from(users);
    expect(found?.passwordHash).toBeNull();
    expect(await db.select().from(sessions)).toEqual([]);
    const links = await db.select().from(passwordResets);
    expect(links.map(({ userId }) => userId)).toEqual([user.id]);
    const minutes = ((links[0]?.expiresAt.getTime() ?? 0) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(20);
    expect(minutes).toBeLessThanOrEqual(30);
    const log = await db.select().from(auditLog);
    expect(log.map(({ actor, action }) => [actor, action])).toEqual([['ada@example.com', 'password-reset']]);
    expect(JSON.stringify([log, links])).not.toContain(token);
  } finally {
    await close();
  }
  expect(await newPasswordBy(token)).toBe(true);
});

/** Opens the product with that data directory, as its owner does next. @returns whether they come in with a new password */
async function newPasswordBy(token: string): Promise<boolean> {
  const database = await openDatabase({ dataDir, databaseUrl: null });
  const app = await openTestApp({ database });
  try {
    const ask = (url: string, body: object) => app.server.inject({ method: 'POST', url, body });
    const newPassword = 'another horse, another battery';
    await ask('/api/auth/password-reset/confirm', { token, newPassword });
    const login = await ask('/api/auth/login', { email: 'ada@example.com', password: newPassword });
    return login.statusCode === 200;
  } finally {
    await app.close();
    await database.close();
  }
}

it('takes the second factor away, where that is asked for, too', async () => {
  const withFactor = async (work?: (db: Db) => Promise<unknown>) => {
    const { db, close } = await openDatabase({ dataDir, databaseUrl: null });
    try {
      await work?.(db);
      return (await db.select().from(secondFactors)).length;
    } finally {
      await close();
    }
  };
  await withFactor((db) =>
    db.insert(secondFactors).values({ userId: user.id, sealedSecret: 'x', confirmedAt: new Date() }),
  );
  expect((await run(['ada@example.com'])).stdout).not.toContain('second factor');
  expect(await withFactor()).toBe(1);
  const { code, stdout } = await run(['--remove-second-factor', 'ada@example.com']);
  expect([code, stdout.includes('Its second factor is gone.')]).toEqual([0, true]);
  expect(await withFactor()).toBe(0);
});

it('changes nothing for an address that has no account', async () => {
  const { code, stdout, stderr } = await run(['nobody@example.com']);
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    'There is no account with the email address nobody@example.com: nothing was changed.\n',
  ]);
});

it('says what to do while the server runs', async () => {
  const { close } = await openDatabase({ dataDir, databaseUrl: null });
  try {
    const { code, stderr } = await run(['ada@example.com']);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Sigma is running with the data directory ${dataDir} (process ${process.pid}). Stop it, run this again, and start it again: until it is stopped, no password can be changed from here.\n`,
    );
  } finally {
    await close();
  }
});

it('asks nobody where nobody can answer, and makes no data directory', async () => {
  expect((await run([])).stderr).toBe(
    'Say whose password it is: npm run reset-password -- you@example.com\n',
  );
  const nowhere = join(dataDir, 'nowhere');
  expect((await run(['ada@example.com'], nowhere)).stderr).toBe(
    `There is no data directory ${nowhere}: say where it is with DATA_DIR.\n`,
  );
});

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '#server/database/open';
import { auditLog, sessions, users } from '#server/database/schema';
import { createPasswords } from '#server/features/accounts/passwords';
import { aUser } from '../../tests/factories.ts';
import { freshDataDir } from '../../tests/support/fresh-data-dir.ts';
import { startProgram } from '../../tests/support/programs.ts';

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

it('gives an account a new password, tells it, ends its sessions and leaves a trace', async () => {
  const { code, stdout, stderr } = await run([' Ada@Example.com']);
  expect([code, stderr]).toEqual([0, '']);
  const [, password = ''] = /^The new password of ada@example\.com is (\S+)$/m.exec(stdout) ?? [];
  expect(password).toMatch(/^(?:[a-z2-9]{5}-){3}[a-z2-9]{5}$/);
  const { db, close } = await openDatabase({ dataDir, databaseUrl: null });
  try {
    const [found] = await db.select().from(users);
    expect(await createPasswords().matches(password, found?.passwordHash ?? null)).toBe(true);
    expect(await db.select().from(sessions)).toEqual([]);
    const log = await db.select().from(auditLog);
    expect(log.map(({ actor, action }) => [actor, action])).toEqual([['ada@example.com', 'password-reset']]);
    expect(JSON.stringify(log)).not.toContain(password);
  } finally {
    await close();
  }
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

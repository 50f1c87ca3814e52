import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '#server/database/open';
import { auditLog, sessions, users } from '#server/database/schema';
import type { SignedIn } from '#shared/accounts';
import { aPassword, aRegistration, aUser } from '../../tests/factories.ts';
import { freshDataDir } from '../../tests/support/fresh-data-dir.ts';
import { startProgram } from '../../tests/support/programs.ts';
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await freshDataDir();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function run(...args: string[]) {
  const program = startProgram('server/commands/reset-owner.ts', args, { DATA_DIR: dataDir });
  return { code: await program.ended, ...program.output() };
}
const tokenIn = (text: string) =>
  /^http:\/\/127\.0\.0\.1:3000\/reset-password#token=([\w-]{43})$/m.exec(text)?.[1] ?? '';

/** Opens the product with that data directory. */
async function inProduct<T>(act: (app: TestApp) => Promise<T>): Promise<T> {
  const database = await openDatabase({ dataDir, databaseUrl: null });
  const app = await openTestApp({ database });
  try {
    return await act(app);
  } finally {
    await app.close();
    await database.close();
  }
}
async function comeIn(app: TestApp, email: string, token: string): Promise<SignedIn> {
  const newPassword = 'another horse, another battery';
  const ask = (url: string, body: object) => app.server.inject({ method: 'POST', url, body });
  await ask('/api/auth/password-reset/confirm', { token, newPassword });
  return (await ask('/api/auth/login', { email, password: newPassword })).json();
}

it('makes the owner of an installation whose last account was deleted, and opens registration again', async () => {
  const register = (app: TestApp) =>
    app.server.inject({ method: 'POST', url: '/api/auth/register', body: aRegistration() });
  await inProduct(async (app) => {
    const { token } = await app.signUp();
    expect((await app.as(token, 'DELETE', '/api/auth/me', { password: aPassword })).statusCode).toBe(204);
    expect((await register(app)).statusCode).toBe(403);
  });
  const { code, stdout, stderr } = await run(' Grace.Hopper@example.com');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('grace.hopper@example.com owns this installation.');
  await inProduct(async (app) => {
    const grace = await comeIn(app, 'grace.hopper@example.com', tokenIn(stdout));
    expect(grace.user).toMatchObject({ name: 'grace.hopper', role: 'owner', isInstallationOwner: true });
    expect((await register(app)).json().user.isInstallationOwner).toBe(false);
    const log = await app.database.db.select().from(auditLog);
    expect(log.map(({ actor, action, subject }) => [actor, action, subject])).toContainEqual([
      'grace.hopper@example.com',
      'role-changed',
      'owner, by npm run reset-owner',
    ]);
    expect(JSON.stringify(log)).not.toContain(tokenIn(stdout));
  });
});

it('makes an owner of an account that is there: its password and its sessions are worth nothing any more', async () => {
  const user = aUser({ email: 'ada@example.com', heldAt: new Date() });
  const { db, close } = await openDatabase({ dataDir, databaseUrl: null });
  await db.insert(users).values([aUser({ role: 'owner' }), user]);
  await db.insert(sessions).values({ tokenHash: 'x', userId: user.id, expiresAt: new Date(4e12) });
  await close();
  const { code, stdout } = await run('ada@example.com');
  expect(code).toBe(0);
  expect(stdout).toContain('its old password works no longer');
  expect(stdout).toContain('look through its agents and their actions');
  await inProduct(async (app) => {
    expect(await app.database.db.select().from(sessions)).toEqual([]);
    expect((await comeIn(app, 'ada@example.com', tokenIn(stdout))).user).toMatchObject({
      _id: user.id,
      role: 'owner',
    });
  });
});

it('changes nothing without an email address', async () => {
  const say = 'Say who is to own this installation: npm run reset-owner -- you@example.com\n';
  expect(await run()).toMatchObject({ code: 1, stdout: '', stderr: say });
  expect(await run('ada')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'ada is no email address: nothing was changed.\n',
  });
});

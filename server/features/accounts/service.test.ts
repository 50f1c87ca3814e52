import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessions } from '#server/database/schema';
import { aPassword, aRegistration } from '../../../tests/factories.ts';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/test-database.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { AccountsRepository } from './repository.ts';
import { type AccountsService, createAccountsService } from './service.ts';

const DAY_MS = 86_400_000;
let database: TestDatabase;
let accounts: AccountsService;
let clock: number;
const checked: (string | null)[] = [];
const signedOut: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  const real = createPasswords();
  const passwords: Passwords = {
    hash: real.hash,
    matches(password, stored) {
      checked.push(stored);
      return real.matches(password, stored);
    },
  };
  accounts = createAccountsService({
    repository: new AccountsRepository(database.db),
    passwords,
    limits: null,
    onSignedOut: (tokenHash) => signedOut.push(tokenHash),
    now: () => clock,
  });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.empty();
  clock = Date.parse('2026-11-20T09:00:00Z');
  checked.length = 0;
  signedOut.length = 0;
});

const onlySession = async () => {
  const [session] = await database.db.select().from(sessions);
  return session;
};

describe('a session', () => {
  it('ends when nobody used it for 30 days', async () => {
    const { token } = await accounts.register(aRegistration(), '10.0.0.1');
    clock += 30 * DAY_MS - 1;
    expect(await accounts.authenticate(token)).not.toBeNull();
    const later = await accounts.register(aRegistration(), '10.0.0.1');
    clock += 30 * DAY_MS;
    expect(await accounts.authenticate(later.token)).toBeNull();
  });

  it('lives on while it is used, and is written at most once a day', async () => {
    const { token } = await accounts.register(aRegistration(), '10.0.0.1');
    const began = (await onlySession())?.expiresAt.getTime();
    clock += DAY_MS - 1;
    await accounts.authenticate(token);
    expect((await onlySession())?.expiresAt.getTime()).toBe(began);
    clock += 2;
    await accounts.authenticate(token);
    expect((await onlySession())?.expiresAt.getTime()).toBe(clock + 30 * DAY_MS);
    for (let n = 0; n < 10; n++) {
      clock += 29 * DAY_MS;
      expect(await accounts.authenticate(token)).not.toBeNull();
    }
  });

  it('is told of when it ends', async () => {
    const { token } = await accounts.register(aRegistration(), '10.0.0.1');
    await accounts.logout(token);
    expect(signedOut).toEqual([expect.stringMatching(/^[\da-f]{64}$/)]);
  });

  it('is removed some time after it expired', async () => {
    await accounts.register(aRegistration(), '10.0.0.1');
    await accounts.removeExpired();
    expect(await onlySession()).toBeDefined();
    clock += 31 * DAY_MS;
    await accounts.removeExpired();
    expect(await onlySession()).toBeUndefined();
  });
});

it('does the same work for an unknown address as for a wrong password', async () => {
  await accounts.register(aRegistration({ email: 'ada@example.com' }), '10.0.0.1');
  for (const email of ['ada@example.com', 'nobody@example.com'])
    await expect(accounts.login({ email, password: 'wrong password' }, '10.0.0.1')).rejects.toMatchObject({
      code: 'invalid-credentials',
    });
  expect(checked).toEqual([expect.stringMatching(/^\$argon2id/), null]);
});

it('lets nobody in with the password of nobody', async () => {
  await expect(
    accounts.login({ email: 'nobody@example.com', password: 'the password of nobody' }, '10.0.0.1'),
  ).rejects.toMatchObject({ code: 'invalid-credentials' });
});

it('signs in with the right password only', async () => {
  const { user } = await accounts.register(aRegistration(), '10.0.0.1');
  const { token } = await accounts.login({ email: user.email, password: aPassword }, '10.0.0.2');
  expect(await accounts.authenticate(token)).toEqual(user);
});

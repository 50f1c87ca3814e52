import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessions, users } from '#server/database/schema';
import { AuditRepository } from '#server/features/audit/repository';
import { AuditService } from '#server/features/audit/service';
import { createSeal } from '#server/lib/seal';
import { aPassword, aRegistration } from '../../../tests/factories.ts';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/test-database.ts';
import { MembersRepository } from './members/repository.ts';
import { MembersService } from './members/service.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createProof } from './proof.ts';
import { RegistrationRepository } from './registration/repository.ts';
import { RegistrationService } from './registration/service.ts';
import { AccountsRepository } from './repository.ts';
import { SecondFactorRepository } from './second-factor/repository.ts';
import { SecondFactorService } from './second-factor/service.ts';
import { type AccountsService, createAccountsService } from './service.ts';
import { SessionsRepository } from './sessions/repository.ts';
import { type Caller, SessionsService } from './sessions/service.ts';
import type { EndedSession } from './sessions/session-ends.ts';

const DAY_MS = 86_400_000;
let database: TestDatabase;
let accounts: AccountsService;
let sessionsService: SessionsService;
let clock: number;
const checked: (string | null)[] = [];
const ended: EndedSession[] = [];
const from = (address: string): Caller => ({ address, userAgent: 'Test/1.0' });

beforeAll(async () => {
  database = await openTestDatabase();
  const real = createPasswords();
  const passwords: Passwords = {
    ...real,
    matches(password, stored) {
      checked.push(stored);
      return real.matches(password, stored);
    },
  };
  const { db } = database;
  const audit = new AuditService(new AuditRepository(db), (error) => {
    throw error;
  });
  sessionsService = new SessionsService({
    repository: new SessionsRepository(db),
    audit,
    now: () => clock,
  });
  sessionsService.onEnded((session) => ended.push(session));
  const repository = new AccountsRepository(db);
  const prove = createProof({
    repository,
    passwords,
    limits: null,
    audit,
    sessions: sessionsService,
    now: () => clock,
  });
  const seal = createSeal('a secret of the server');
  accounts = createAccountsService({
    repository,
    prove,
    seal,
    secondFactor: new SecondFactorService({
      repository: new SecondFactorRepository(db),
      seal,
      prove,
      sessions: sessionsService,
      audit,
      limits: null,
      now: () => clock,
    }),
    sessions: sessionsService,
    registration: new RegistrationService({
      repository: new RegistrationRepository(db),
      audit,
      usually: 'open',
    }),
    members: new MembersService({
      repository: new MembersRepository(db),
      sessions: sessionsService,
      audit,
      belongings: [],
      belongingsOfWorkspace: [],
    }),
    audit,
    onTooMany: () => {},
    passwords,
    limits: null,
    now: () => clock,
  });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.empty();
  clock = Date.parse('2026-11-20T09:00:00Z');
  checked.length = 0;
  ended.length = 0;
});

const onlySession = async () => {
  const [session] = await database.db.select().from(sessions);
  return session;
};

const authenticated = async (token: string) => (await sessionsService.authenticate(token))?.user;

describe('a session', () => {
  it('ends after 30 days, however much it is used', async () => {
    const { token, user } = await accounts.register(aRegistration(), from('10.0.0.1'));
    for (let day = 0; day < 29; day++) {
      clock += DAY_MS;
      expect(await authenticated(token)).toEqual(user);
    }
    clock += DAY_MS - 1;
    expect(await authenticated(token)).toEqual(user);
    clock += 1;
    expect(await authenticated(token)).toBeUndefined();
  });

  it('ends after a week in which nobody used it', async () => {
    const { token } = await accounts.register(aRegistration(), from('10.0.0.1'));
    clock += 7 * DAY_MS - 1;
    expect(await authenticated(token)).toBeDefined();
    clock += 7 * DAY_MS;
    expect(await authenticated(token)).toBeUndefined();
    await sessionsService.endExpired();
    expect(ended).toHaveLength(1);
    expect(await onlySession()).toBeUndefined();
  });

  it('knows when it was used, and is written at most every five minutes', async () => {
    const { token } = await accounts.register(aRegistration(), from('10.0.0.1'));
    const began = clock;
    clock += 5 * 60_000 - 1;
    await authenticated(token);
    expect((await onlySession())?.lastUsedAt.getTime()).toBe(began);
    clock += 1;
    await authenticated(token);
    expect((await onlySession())?.lastUsedAt.getTime()).toBe(clock);
  });

  it('is told of when it ends, by whatever ends it', async () => {
    const { token, user } = await accounts.register(aRegistration(), from('10.0.0.1'));
    const login = async () => {
      const signedIn = await accounts.login({ email: user.email, password: aPassword }, from('10.0.0.1'));
      const session = await sessionsService.authenticate(signedIn.token);
      if (!session) throw new Error('Nobody is signed in.');
      return session;
    };
    const [first, second, third] = [await login(), await login(), await login()];
    const told = () => ended.splice(0).map(({ sessionId }) => sessionId);
    await sessionsService.signOut(first, from('10.0.0.1'));
    expect(told()).toEqual([first.id]);
    await sessionsService.end(third, second.id, from('10.0.0.1'));
    expect(told()).toEqual([second.id]);
    await accounts.changePassword(
      third,
      { currentPassword: aPassword, newPassword: `${aPassword}!` },
      from('10.0.0.1'),
    );
    expect(told()).toHaveLength(1);
    expect(await authenticated(token)).toBeUndefined();
    clock += 30 * DAY_MS;
    await sessionsService.endExpired();
    expect(told()).toEqual([third.id]);
    expect(await onlySession()).toBeUndefined();
  });

  it('is not begun with a password that was changed while it was being checked', async () => {
    const { user } = await accounts.register(aRegistration(), from('10.0.0.1'));
    const stale = { id: user._id, passwordHash: 'the hash that was checked' };
    expect(await sessionsService.begin(stale, from('10.0.0.1'))).toBeNull();
  });
});

it('does the same work for an unknown address as for a wrong password', async () => {
  await accounts.register(aRegistration({ email: 'ada@example.com' }), from('10.0.0.1'));
  for (const email of ['ada@example.com', 'nobody@example.com'])
    await expect(
      accounts.login({ email, password: 'wrong password' }, from('10.0.0.1')),
    ).rejects.toMatchObject({
      code: 'invalid-credentials',
    });
  expect(checked).toEqual([expect.stringMatching(/^\$argon2id/), null]);
});

it('lets nobody in with the password of nobody', async () => {
  await expect(
    accounts.login({ email: 'nobody@example.com', password: 'the password of nobody' }, from('10.0.0.1')),
  ).rejects.toMatchObject({ code: 'invalid-credentials' });
});

it('signs in with the right password only', async () => {
  const { user } = await accounts.register(aRegistration(), from('10.0.0.1'));
  const { token } = await accounts.login({ email: user.email, password: aPassword }, from('10.0.0.2'));
  expect(await authenticated(token)).toEqual(user);
});

it('makes a hash of earlier parameters anew at the sign-in', async () => {
  const { user } = await accounts.register(aRegistration(), from('10.0.0.1'));
  const weak = await hash(aPassword, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
  await database.db.update(users).set({ passwordHash: weak });
  const login = () => accounts.login({ email: user.email, password: aPassword }, from('10.0.0.1'));
  const stored = async () => (await database.db.select().from(users))[0]?.passwordHash;
  await login();
  const renewed = await stored();
  expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const { token } = await login();
  expect(await stored()).toBe(renewed);
  expect(await authenticated(token)).toBeDefined();
});

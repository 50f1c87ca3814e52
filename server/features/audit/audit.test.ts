import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditLog, conversations } from '#server/database/schema';
import type { SignedIn } from '#shared/accounts';
import type { AuditEntry } from '#shared/audit';
import { aConversation, aPassword } from '../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { AuditRepository } from './repository.ts';
import { AuditService } from './service.ts';

let app: TestApp;
let owner: SignedIn;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.empty();
  owner = await app.signUp({ email: 'owner@example.com' });
});

const log = async (query = '') => app.as(owner.token, 'GET', `/api/audit${query}`);
const entries = async (): Promise<AuditEntry[]> => (await log()).json();
const login = (email: string, password: string) =>
  app.server.inject({ method: 'POST', url: '/api/auth/login', body: { email, password } });

describe('the security log', () => {
  it('holds who did what, to what, when and from where', async () => {
    await login('owner@example.com', aPassword);
    const [newest] = await entries();
    expect(newest).toEqual({
      _id: expect.any(String),
      at: expect.any(String),
      actor: 'owner@example.com',
      action: 'sign-in',
      address: '127.0.0.1',
    });
    expect(Math.abs(Date.parse(newest?.at ?? '') - Date.now())).toBeLessThan(60_000);
  });

  it('holds who was refused what they may not have, once', async () => {
    const bob = await app.signUp({ email: 'bob@example.com' });
    for (let n = 0; n < 3; n++) expect((await app.as(bob.token, 'GET', '/api/audit')).statusCode).toBe(403);
    const refused = async () => (await entries()).filter(({ action }) => action === 'access-refused');
    await expect
      .poll(refused)
      .toMatchObject([{ actor: 'bob@example.com', subject: 'GET /api/audit', address: '127.0.0.1' }]);
  });

  it('holds which conversation was deleted, and nothing of what was said in it', async () => {
    const conversation = aConversation(owner.user._id, { title: 'A Secret Wish' });
    const { id } = conversation;
    await app.database.db.insert(conversations).values(conversation);
    expect((await app.as(owner.token, 'DELETE', `/api/conversations/${id}`)).statusCode).toBe(200);
    expect((await app.as(owner.token, 'DELETE', `/api/conversations/${id}`)).statusCode).toBe(404);
    expect((await entries()).filter(({ action }) => action === 'conversation-deleted')).toEqual([
      {
        _id: expect.any(String),
        at: expect.any(String),
        actor: 'owner@example.com',
        action: 'conversation-deleted',
        subject: id,
        address: '127.0.0.1',
      },
    ]);
  });

  it('holds everything that accounts are answerable for', async () => {
    const bob = await app.join(owner, 'member', { email: 'bob@example.com' });
    const newPassword = 'another horse, another battery';
    const be = (who: SignedIn) => (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
      app.as(who.token, method, url, body);
    const ada = be(owner);
    await ada('PUT', `/api/members/${bob.user._id}`, { role: 'supervisor' });
    await ada('PUT', '/api/settings/registration', { mode: 'invitation' });
    const invited = (
      await ada('POST', '/api/invitations', { email: 'cleo@example.com', role: 'member' })
    ).json();
    await ada('DELETE', `/api/invitations/${invited._id}`);
    await be(bob)('PUT', '/api/auth/password', { currentPassword: 'wrong', newPassword });
    await be(bob)('PUT', '/api/auth/password', { currentPassword: aPassword, newPassword });
    const other = (await login('bob@example.com', newPassword)).json();
    const [session] = (await app.as(other.token, 'GET', '/api/auth/sessions')).json();
    await be(bob)('DELETE', `/api/auth/sessions/${session._id}`, { password: newPassword });
    await be(bob)('POST', '/api/auth/logout');
    await ada('DELETE', `/api/members/${bob.user._id}`);
    expect(
      (await entries()).map(({ actor, action, subject }) => [actor, action, subject].join(' | ')),
    ).toEqual([
      'owner@example.com | member-removed | bob@example.com',
      'bob@example.com | sign-out | ',
      'bob@example.com | session-ended | ',
      'bob@example.com | sign-in | ',
      'bob@example.com | password-changed | ',
      'bob@example.com | sign-in-refused | asked for the password once more',
      'owner@example.com | settings-changed | invitation withdrawn: cleo@example.com',
      'owner@example.com | invited | cleo@example.com as member',
      'owner@example.com | settings-changed | registration: invitation',
      'owner@example.com | role-changed | bob@example.com: member to supervisor',
      'bob@example.com | sign-in | new account',
      'owner@example.com | invited | bob@example.com as member',
      'owner@example.com | sign-in | new account',
    ]);
    expect((await entries()).every(({ address }) => address === '127.0.0.1')).toBe(true);
  });

  it('says whose account was tried, and never what was typed for one that is none', async () => {
    await login('owner@example.com', 'a wrong password');
    await login('my-secret-password', 'x');
    const [unknown, known] = await entries();
    expect([unknown?.actor, unknown?.action]).toEqual(['', 'sign-in-refused']);
    expect([known?.actor, known?.action]).toEqual(['owner@example.com', 'sign-in-refused']);
    const stored = JSON.stringify(await app.database.db.select().from(auditLog));
    for (const secret of ['my-secret-password', 'a wrong password', aPassword, owner.token])
      expect(stored).not.toContain(secret);
  });

  it('holds sign-ins that were refused for their number, once', async () => {
    const config = { publicUrl: null, corsOrigins: [], rateLimit: true };
    const limited = await openTestApp({ config });
    try {
      const { token, user } = await limited.signUp();
      const payload = { email: user.email, password: 'a wrong password' };
      const wrong = async () =>
        (await limited.server.inject({ method: 'POST', url: '/api/auth/login', payload })).statusCode;
      const answers: number[] = [];
      for (let n = 0; n < 8; n++) answers.push(await wrong());
      expect(answers.slice(-2)).toEqual([429, 429]);
      const refused = async () =>
        (await limited.as(token, 'GET', '/api/audit'))
          .json()
          .filter(({ action }: AuditEntry) => action === 'access-refused');
      await expect
        .poll(refused)
        .toMatchObject([{ actor: user.email, subject: 'sign-in: too many attempts', address: '127.0.0.1' }]);
    } finally {
      await limited.close();
    }
  });

  it('is read page by page, newest first', async () => {
    for (let n = 0; n < 4; n++) await login('owner@example.com', `wrong ${n}`);
    const first = await log('?limit=3');
    const second = await log(`?limit=3&cursor=${first.headers['x-next-cursor']}`);
    expect([...first.json(), ...second.json()]).toEqual(await entries());
    expect(second.headers['x-next-cursor']).toBeUndefined();
    for (const query of ['?limit=0', '?limit=101', '?cursor=1'])
      expect((await log(query)).statusCode).toBe(400);
  });

  it('keeps its entries for 400 days', async () => {
    const { db } = app.database;
    const service = new AuditService(new AuditRepository(db), () => {});
    const ago = (days: number) => Date.now() - days * 86_400_000;
    await db.delete(auditLog);
    for (const days of [399, 401]) {
      const at = ago(days);
      await db
        .insert(auditLog)
        .values({ id: uuidv7({ msecs: at }), at: new Date(at), actor: '', action: 'sign-in' });
    }
    await service.removeOld();
    expect((await service.list({ limit: 50 })).entries).toHaveLength(1);
  });

  it('stands in the way of nothing when it cannot be written', async () => {
    const failures: unknown[] = [];
    const repository = new AuditRepository(app.database.db);
    repository.insert = async () => {
      throw new Error('the disk is full');
    };
    const service = new AuditService(repository, (error) => failures.push(error));
    await service.record({ action: 'sign-out', actor: null });
    expect(failures).toHaveLength(1);
  });
});

import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessions, signInAddresses, users } from '#server/database/schema';
import { aPassword, aRegistration } from '../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { createPasswords } from './passwords.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ passwords: createPasswords() });
});
afterAll(() => app.close());
beforeEach(() => app.database.empty());

const register = (body: object) => app.server.inject({ method: 'POST', url: '/api/auth/register', body });
const login = (email: string, password: string) =>
  app.server.inject({ method: 'POST', url: '/api/auth/login', body: { email, password } });

describe('POST /api/auth/register', () => {
  it('answers 201 with a token and the user, who is then signed in', async () => {
    const response = await register({
      name: ' Ada Lovelace ',
      email: ' Ada@Example.com ',
      password: aPassword,
    });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      user: {
        _id: expect.any(String),
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        workspaceId: expect.any(String),
        role: 'owner',
        isInstallationOwner: true,
      },
      tabKey: expect.any(String),
    });
    const me = await app.as(response.json().token, 'GET', '/api/auth/me');
    const { user, tabKey } = response.json();
    expect(me.json()).toEqual({ ...user, tabKey });
  });

  it('stores the password as argon2id with the recommended cost, and only the hash of the token', async () => {
    const { token } = (await register(aRegistration())).json();
    const [user] = await app.database.db.select().from(users);
    expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const [session] = await app.database.db.select().from(sessions);
    expect(session?.tokenHash).toMatch(/^[\da-f]{64}$/);
    expect(JSON.stringify([user, session])).not.toContain(token);
    expect(JSON.stringify(await app.database.db.select().from(signInAddresses))).not.toContain('127.0.0.1');
  });

  it.each([
    ['name', '', 'Enter your name.'],
    ['name', '   ', 'Enter your name.'],
    ['name', 'x'.repeat(101), 'Use a name of at most 100 characters.'],
    ['email', '', 'Enter a valid email address.'],
    ['email', 'ada', 'Enter a valid email address.'],
    ['email', 'ada@', 'Enter a valid email address.'],
    ['email', 'ada@b@c.example', 'Enter a valid email address.'],
    ['email', `${'x'.repeat(250)}@example.com`, 'Use an email address of at most 254 characters.'],
    ['password', 'short', 'Use a password of at least 8 characters.'],
    ['password', 'x'.repeat(129), 'Use a password of at most 128 characters.'],
    ['password', 'password1', 'This password is one of the most common ones. Choose another.'],
    ['password', 'QwertyUiop', 'This password is one of the most common ones. Choose another.'],
    ['password', 12345678, 'The field "password" must be text.'],
    ['email', undefined, 'The field "email" is missing.'],
    ['email', { $ne: '' }, 'The field "email" must be text.'],
  ])('refuses %s = %j', async (field, value, sentence) => {
    const response = await register({ ...aRegistration(), [field]: value });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      message: sentence,
      error: sentence,
      code: 'invalid-input',
      fields: { [field]: sentence },
    });
    expect(await app.database.db.select().from(users)).toEqual([]);
  });

  it('takes a password of any characters', async () => {
    const password = 'пароль 密码 🔑 "\'\\\u0000';
    const { user } = (await register(aRegistration({ password }))).json();
    expect((await login(user.email, password)).statusCode).toBe(200);
    expect((await login(user.email, password.slice(0, -1))).statusCode).toBe(401);
  });

  it('refuses a character that cannot be stored', async () => {
    const response = await register(aRegistration({ name: 'A\u0000da' }));
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ message: 'This text holds a character that cannot be stored.' });
  });

  it('refuses an address that has an account, however it is written', async () => {
    await register(aRegistration({ email: 'ada@example.com' }));
    const response = await register(aRegistration({ email: 'ADA@example.com ' }));
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({
      message: 'An account with this email already exists.',
      code: 'email-taken',
    });
  });

  it('makes one account of many requests at once', async () => {
    const same = aRegistration();
    const answers = await Promise.all([1, 2, 3, 4].map(() => register(same)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409]);
    expect(await app.database.db.select().from(users)).toHaveLength(1);
  });

  it('ignores what it did not ask for', async () => {
    await app.signUp();
    const _id = uuidv7();
    const response = await register({
      ...aRegistration(),
      ...{ _id, role: 'supervisor', workspaceId: _id, isInstallationOwner: true },
    });
    expect(response.statusCode).toBe(201);
    const { user } = response.json();
    expect(Object.keys(user).sort()).toEqual([
      '_id',
      'email',
      'isInstallationOwner',
      'name',
      'role',
      'workspaceId',
    ]);
    expect([user._id === _id, user.workspaceId === _id]).toEqual([false, false]);
    expect([user.role, user.isInstallationOwner]).toEqual(['owner', false]);
  });
});

describe('POST /api/auth/login', () => {
  it('answers 200 with a new token and the user, the address written in any case', async () => {
    const first = await app.signUp({ email: 'ada@example.com' });
    const response = await login(' ADA@example.com', aPassword);
    expect(response.statusCode).toBe(200);
    expect(response.json().user).toEqual(first.user);
    expect(response.json().token).not.toBe(first.token);
  });

  it('says the same of a wrong password and of an unknown address', async () => {
    await app.signUp({ email: 'ada@example.com' });
    const answers = [
      await login('ada@example.com', 'wrong password'),
      await login('nobody@example.com', aPassword),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({
        message: 'Invalid email or password.',
        error: 'Invalid email or password.',
        code: 'invalid-credentials',
      });
    }
  });

  it.each([
    [{}, 'email'],
    [{ email: '', password: 'x' }, 'email'],
    [{ email: 'a@example.com', password: '' }, 'password'],
    [{ email: ['a@example.com'], password: 'x' }, 'email'],
    [{ email: 'a@example.com', password: 'x'.repeat(129) }, 'password'],
  ])('refuses %j', async (body, field) => {
    const response = await app.server.inject({ method: 'POST', url: '/api/auth/login', body });
    expect(response.statusCode).toBe(400);
    expect(response.json().fields).toHaveProperty(field);
  });
});

describe('a session', () => {
  it('ends with a logout, and only that one', async () => {
    const { token, user } = await app.signUp();
    const other = (await login(user.email, aPassword)).json().token;
    const response = await app.as(token, 'POST', '/api/auth/logout');
    expect(response.statusCode).toBe(204);
    expect(response.body).toBe('');
    expect((await app.as(token, 'GET', '/api/auth/me')).statusCode).toBe(401);
    expect((await app.as(other, 'GET', '/api/auth/me')).statusCode).toBe(200);
  });

  it('has the key with which a page seals what it keeps for its user, and nobody else', async () => {
    const ada = await app.signUp({ email: 'ada@example.com' });
    const bob = await app.signUp({ email: 'bob@example.com' });
    const again = (await login('ada@example.com', aPassword)).json();
    expect(again.tabKey).toBe(ada.tabKey);
    expect((await app.as(again.token, 'GET', '/api/auth/me')).json().tabKey).toBe(ada.tabKey);
    expect(bob.tabKey).not.toBe(ada.tabKey);
    await app.as(ada.token, 'POST', '/api/auth/logout');
    expect((await app.as(ada.token, 'GET', '/api/auth/me')).body).not.toContain('tabKey');
  });

  it('ends with its user', async () => {
    const { token, user } = await app.signUp();
    await app.database.db.delete(users).where(eq(users.id, user._id));
    expect((await app.as(token, 'GET', '/api/auth/me')).statusCode).toBe(401);
  });

  it('is not found by a token that is almost right', async () => {
    const { token } = await app.signUp();
    for (const wrong of [token.slice(1), `${token}x`, token.toLowerCase(), 'null', 'undefined'])
      expect((await app.as(wrong, 'GET', '/api/auth/me')).statusCode).toBe(401);
  });
});

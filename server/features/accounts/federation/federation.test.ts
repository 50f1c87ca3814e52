import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identities, sessions, signInTickets, users } from '#server/database/schema';
import { createOpenIdConnect } from '#server/engines/identity/openid-connect';
import { aPassword } from '../../../../tests/factories.ts';
import {
  type FederatedApp,
  openAppWithIssuer,
  openFederatedApp,
  type Person,
  signInBack,
  visitProvider,
} from '../../../../tests/support/federated-app.ts';
import {
  CLIENT,
  type IdentityServer,
  openIdentityServer,
} from '../../../../tests/support/identity-provider.ts';
import { quickPasswords } from '../../../../tests/support/quick-passwords.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';

const ada: Person = {
  sub: 'ada-at-work',
  email: 'Ada@Example.com',
  email_verified: true,
  name: 'Ada Lovelace',
};
let federated: FederatedApp;
let provider: IdentityServer;
let app: TestApp;
beforeAll(async () => {
  federated = await openFederatedApp();
  ({ provider, app } = federated);
});
afterAll(() => federated.close());
beforeEach(async () => {
  await app.database.empty();
  provider.person = ada;
});

const AGAIN = 'This sign-in took too long, was already used or began elsewhere. Start it again.';
const post: FederatedApp['post'] = (...args) => federated.post(...args);
const begin = () => federated.begin();
const comeBack = () => federated.comeBack();
const signIn = (code?: string) => federated.signIn(code === undefined ? {} : { code });
const byPassword = (password = aPassword) =>
  app.server.inject({
    method: 'POST',
    url: '/api/auth/login',
    body: { email: 'ada@example.com', password },
  });

describe('a sign-in at an identity provider', () => {
  it('asks for a code with PKCE, state and nonce, and keeps its secrets from the browser', async () => {
    const { address, attempt } = await begin();
    const { origin, searchParams } = new URL(address);
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      redirect_uri: signInBack,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(Buffer.from(attempt, 'base64url').toString('latin1')).not.toContain(searchParams.get('state'));
  });

  it('shows the provider the secret of now', async () => {
    const identity = createOpenIdConnect({
      issuer: provider.issuer,
      label: 'Contoso',
      clientId: CLIENT.clientId,
      clientSecret: 'the secret of last year',
    });
    const challenge = {
      state: 's'.repeat(43),
      nonce: 'n'.repeat(43),
      verifier: 'v'.repeat(43),
      redirectUri: signInBack,
    };
    const comesBack = async () => {
      const answer = await visitProvider(await identity.signInAddress(challenge));
      return identity.identify(challenge, new URLSearchParams(answer));
    };
    await expect(comesBack()).rejects.toMatchObject({ kind: 'refused' });
    identity.takeSecret(CLIENT.clientSecret);
    expect(await comesBack()).toMatchObject({ subject: 'ada-at-work' });
  });

  it('makes an account, and finds it again by issuer and subject, whatever the address is by then', async () => {
    const first = (await signIn()).json();
    expect(first.user).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com', role: 'owner' });
    provider.person = { ...ada, email: 'ada.byron@example.com' };
    const second = (await signIn()).json();
    expect(second.user).toEqual(first.user);
    expect((await app.as(second.token, 'GET', '/api/auth/me')).json()).toMatchObject(first.user);
    const [entry] = (await app.as(second.token, 'GET', '/api/audit')).json();
    expect(entry).toMatchObject({ actor: 'ada@example.com', action: 'sign-in', subject: 'with Contoso' });
  });

  it('opens an account that another provider has confirmed, asks for its second factor, and ends its password', async () => {
    const { token, user } = await app.signUp({ email: 'ada@example.com', name: 'Augusta' });
    await app.database.db
      .insert(identities)
      .values({ issuer: 'https://login.example.org', subject: '7', userId: user._id });
    const signedIn = (await signIn()).json();
    expect(signedIn.user).toMatchObject({ _id: user._id, name: 'Ada Lovelace' });
    expect((await app.as(token, 'GET', '/api/auth/me')).statusCode).toBe(401);
    expect((await byPassword()).statusCode).toBe(401);
    expect(await app.database.db.select().from(identities)).toContainEqual(
      expect.objectContaining({ issuer: provider.issuer, subject: 'ada-at-work', userId: user._id }),
    );
  });

  it.each([false, undefined])('opens none where it says %s of the address', async (verified) => {
    await app.signUp({ email: 'ada@example.com' });
    provider.person = {
      ...ada,
      ...(verified === undefined ? { email_verified: undefined } : { email_verified: verified }),
    } as Person;
    const refused = await comeBack();
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'There is an account with your email address, and Contoso does not say that the address is yours. Sign in with your password.',
    ]);
    expect((await byPassword()).statusCode).toBe(200);
  });

  it('is not somebody else with another subject and the same address', async () => {
    await signIn();
    provider.person = { ...ada, sub: 'somebody-else', email_verified: false };
    expect((await comeBack()).statusCode).toBe(403);
  });

  it('makes no account without an address', async () => {
    provider.person = { sub: 'nameless' };
    expect((await comeBack()).json().message).toBe(
      'Contoso does not tell your email address, and an account needs one.',
    );
  });

  it('lets in whom the registration lets in', async () => {
    const owner = await app.signUp({ email: 'owner@example.com' });
    const settle = (mode: string) => app.as(owner.token, 'PUT', '/api/settings/registration', { mode });
    await settle('invitation');
    expect((await comeBack()).json().message).toBe('Registration is by invitation.');
    const invitation = { email: 'ada@example.com', role: 'supervisor' };
    await app.as(owner.token, 'POST', '/api/invitations', invitation);
    await settle('closed');
    expect((await comeBack()).json().message).toBe('Registration is closed.');
    await settle('invitation');
    provider.person = { ...ada, email_verified: false };
    expect((await comeBack()).statusCode).toBe(403);
    provider.person = ada;
    expect((await signIn()).json().user.role).toBe('supervisor');
    await settle('closed');
    expect((await signIn()).statusCode).toBe(200);
  });

  it('makes no owner after the last account was deleted', async () => {
    const { token } = await app.signUp();
    await app.as(token, 'DELETE', '/api/auth/me', { password: aPassword });
    expect((await comeBack()).json().message).toContain('the last account here was deleted');
  });

  it('asks for the second factor of an account that has one', async () => {
    const { token } = (await signIn()).json();
    const url = '/api/auth/second-factor';
    const { secret } = (await app.as(token, 'POST', url, { password: 'none' })).json();
    const { Secret, TOTP } = await import('otpauth');
    const code = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
    expect((await app.as(token, 'POST', `${url}/confirm`, { code: code(0) })).statusCode).toBe(200);
    expect((await signIn()).json().code).toBe('second-factor-needed');
    expect((await signIn('000000')).json().code).toBe('invalid-credentials');
    expect((await signIn(code(1))).statusCode).toBe(200);
  });

  it('stands for the password that the account does not have, for ten minutes', async () => {
    const old = (await signIn()).json().token;
    const began = (minutesAgo: number) => ({ createdAt: new Date(Date.now() - minutesAgo * 60_000) });
    await app.database.db.update(sessions).set(began(11));
    const erase = (token: string) => app.as(token, 'DELETE', '/api/auth/me', { password: '' });
    const refused = await erase(old);
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'Sign out, sign in again, and do this within ten minutes.',
    ]);
    expect((await erase((await signIn()).json().token)).statusCode).toBe(204);
    expect(await app.database.db.select().from(identities)).toEqual([]);
  });

  it('ends where the person says no', async () => {
    provider.person = null;
    const refused = await comeBack();
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'Contoso did not let you in. Try again.',
    ]);
    expect(await app.database.db.select().from(users)).toEqual([]);
  });
});

describe('an answer of a provider', () => {
  it('is worth nothing in a browser that did not begin', async () => {
    const [mine, theirs] = [await begin(), await begin()];
    const answer = await visitProvider(mine.address);
    expect((await post('/back', { attempt: theirs.attempt, answer })).statusCode).toBe(403);
    expect((await post('/back', { attempt: 'made up', answer })).json().message).toBe(AGAIN);
    expect((await post('/back', { attempt: mine.attempt, answer })).statusCode).toBe(200);
  });

  it('works once', async () => {
    const { address, attempt } = await begin();
    const answer = await visitProvider(address);
    expect((await post('/back', { attempt, answer })).statusCode).toBe(200);
    expect((await post('/back', { attempt, answer })).statusCode).toBe(403);
  });

  it('is no ticket, and a ticket is no attempt', async () => {
    const { attempt } = await begin();
    expect((await post('/sign-in', { ticket: attempt })).statusCode).toBe(400);
    const { ticket } = (await comeBack()).json();
    expect((await post('/back', { attempt: ticket, answer: 'code=x' })).statusCode).toBe(400);
  });

  it('of another issuer is refused', async () => {
    const { address, attempt } = await begin();
    const answer = new URLSearchParams(await visitProvider(address));
    answer.set('iss', 'https://evil.example.com');
    expect((await post('/back', { attempt, answer: answer.toString() })).statusCode).toBe(403);
  });
});

describe('a ticket', () => {
  const aTicket = () => federated.aTicket();
  const refused = async (ticket: string) => {
    const answer = await federated.use(ticket);
    expect([answer.statusCode, answer.json().message]).toEqual([400, AGAIN]);
  };

  it('counts once, also for two who use it at the same moment', async () => {
    const ticket = await aTicket();
    const answers = await Promise.all([1, 2, 3].map(() => federated.use(ticket)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400]);
    await refused(ticket);
  });

  it('lasts for minutes, and is kept as a hash alone', async () => {
    const ticket = await aTicket();
    const [row] = await app.database.db.select().from(signInTickets);
    expect(JSON.stringify(row)).not.toContain(ticket);
    expect((row?.expiresAt.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(5 * 60_000);
    await app.database.db.update(signInTickets).set({ expiresAt: new Date(Date.now() - 1) });
    await refused(ticket);
  });

  it('ends when its account signs out everywhere', async () => {
    const { token } = (await signIn()).json();
    const ticket = await aTicket();
    expect((await app.as(token, 'DELETE', '/api/auth/sessions', {})).statusCode).toBe(204);
    await refused(ticket);
  });

  it('ends when an owner ends all sessions of its account', async () => {
    const owner = await app.signUp();
    const { user } = (await signIn()).json();
    const ticket = await aTicket();
    await app.as(owner.token, 'DELETE', `/api/members/${user._id}/sessions`);
    await refused(ticket);
  });

  it('ends when the account gets another password', async () => {
    const { token, user } = (await signIn()).json();
    await app.database.db
      .update(users)
      .set({ passwordHash: await quickPasswords.hash(aPassword) })
      .where(eq(users.id, user._id));
    const ticket = await aTicket();
    const change = { currentPassword: aPassword, newPassword: 'another horse, another battery' };
    expect((await app.as(token, 'PUT', '/api/auth/password', change)).statusCode).toBe(204);
    await refused(ticket);
  });

  it('goes with its account', async () => {
    const { token } = (await signIn()).json();
    const ticket = await aTicket();
    expect((await app.as(token, 'DELETE', '/api/auth/me', { password: '' })).statusCode).toBe(204);
    await refused(ticket);
  });
});

it('is told in one sentence while the provider is away, and works once it is there', async () => {
  const gone = await openIdentityServer(signInBack);
  await gone.close();
  const alone = await openAppWithIssuer(gone.issuer);
  try {
    const refused = await post('', {}, alone);
    expect([refused.statusCode, refused.json().message]).toEqual([
      503,
      'Contoso cannot be reached at the moment. Try again later, or sign in with your password.',
    ]);
    expect((await alone.server.inject('/api/auth/options')).json().provider).toBe('Contoso');
  } finally {
    await alone.close();
  }
});

it('is not there without a provider', async () => {
  const without = await openTestApp();
  try {
    expect((await post('', {}, without)).statusCode).toBe(404);
    expect((await without.server.inject('/api/auth/options')).json().provider).toBeNull();
  } finally {
    await without.close();
  }
});

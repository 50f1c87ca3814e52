import { Secret, TOTP, URI } from 'otpauth';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditLog, recoveryCodes, secondFactors } from '#server/database/schema';
import { memoryLimiters } from '#server/lib/rate-limits';
import type { SignedIn } from '#shared/accounts';
import { aPassword } from '../../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { createSignInLimits } from '../sign-in-limits.ts';
import { stepOf } from './one-time-codes.ts';

const STEP_MS = 30_000;
let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.empty();
  ada = await app.signUp({ email: 'ada@example.com' });
});

const url = '/api/auth/second-factor';
const codeOf = (secret: string, stepsAhead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsAhead * STEP_MS });
const login = (code?: string, password = aPassword) =>
  app.server.inject({
    method: 'POST',
    url: '/api/auth/login',
    body: { email: 'ada@example.com', password, ...(code === undefined ? {} : { code }) },
  });
const me = async (token: string) => (await app.as(token, 'GET', '/api/auth/me')).statusCode;
/** Simulates passing time: no code counts as used. */
const forgetUsedCodes = () => app.database.db.update(secondFactors).set({ lastStep: 0 });

async function setUp(who = ada): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await app.as(who.token, 'POST', url, { password: aPassword })).json();
  const confirmed = await app.as(who.token, 'POST', `${url}/confirm`, { code: codeOf(secret) });
  expect(confirmed.statusCode).toBe(200);
  return { secret, codes: confirmed.json().recoveryCodes };
}

describe('setting up a second factor', () => {
  it('asks for the password, tells a secret once, and is in force after the first code', async () => {
    expect((await app.as(ada.token, 'POST', url, { password: 'wrong' })).statusCode).toBe(401);
    const proposal = (await app.as(ada.token, 'POST', url, { password: aPassword })).json();
    const told = URI.parse(proposal.address);
    expect([told.issuer, told.label, told.secret.base32]).toEqual([
      'Sigma',
      'ada@example.com',
      proposal.secret,
    ]);
    expect(proposal.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect((await login()).statusCode).toBe(200);
    const wrong = await app.as(ada.token, 'POST', `${url}/confirm`, { code: '000 000' });
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'invalid-credentials']);
    const code = codeOf(proposal.secret);
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
    const { recoveryCodes: codes } = (
      await app.as(ada.token, 'POST', `${url}/confirm`, { code: typed })
    ).json();
    expect(new Set(codes).size).toBe(10);
    for (const each of codes) expect(each).toMatch(/^(?:[a-z2-9]{6}-){3}[a-z2-9]{6}$/);
    expect((await app.as(ada.token, 'GET', url)).json()).toEqual({
      on: true,
      recoveryCodesLeft: 10,
      required: false,
    });
  });

  it('stores the secret sealed and the recovery codes hashed', async () => {
    const { secret, codes } = await setUp();
    const stored = JSON.stringify([
      await app.database.db.select().from(secondFactors),
      await app.database.db.select().from(recoveryCodes),
      await app.database.db.select().from(auditLog),
    ]);
    for (const told of [secret, ...codes]) expect(stored).not.toContain(told);
  });

  it('ends every other session', async () => {
    const other = (await login()).json().token;
    await setUp();
    expect([await me(ada.token), await me(other)]).toEqual([200, 401]);
  });

  it('is not done twice, and not without a beginning', async () => {
    const code = '123456';
    expect((await app.as(ada.token, 'POST', `${url}/confirm`, { code })).statusCode).toBe(400);
    await setUp();
    expect((await app.as(ada.token, 'POST', url, { password: aPassword })).statusCode).toBe(409);
    expect((await app.as(ada.token, 'POST', `${url}/confirm`, { code })).statusCode).toBe(400);
  });
});

describe('a sign-in with a second factor', () => {
  it('asks for the code after the right password, and says nothing of it after a wrong one', async () => {
    const { secret } = await setUp();
    const asked = await login();
    expect([asked.statusCode, asked.json().code]).toEqual([401, 'second-factor-needed']);
    expect((await login(undefined, 'wrong')).json().code).toBe('invalid-credentials');
    expect((await login(codeOf(secret, 1), 'wrong')).json().message).toBe('Invalid email or password.');
    expect((await login(codeOf(secret, 1))).statusCode).toBe(200);
  });

  it('takes a code once, of many at the same moment too, and none from before', async () => {
    const { secret } = await setUp();
    expect((await login(codeOf(secret))).statusCode).toBe(401);
    const next = codeOf(secret, 1);
    const answers = await Promise.all([login(next), login(next), login(next)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401]);
    expect((await login(codeOf(secret))).statusCode).toBe(401);
    expect((await login(next)).json().message).toBe('This code is wrong, was used already or is too old.');
  });

  it('takes each recovery code once, however it is typed', async () => {
    const { codes } = await setUp();
    const [first = '', second = ''] = codes;
    expect((await login(` ${first.toUpperCase().replaceAll('-', ' ')} `)).statusCode).toBe(200);
    expect((await login(first)).statusCode).toBe(401);
    expect((await login(second)).statusCode).toBe(200);
    const { token } = (await login(codes[2])).json();
    expect((await app.as(token, 'GET', url)).json().recoveryCodesLeft).toBe(7);
  });

  it('takes no code of somebody else', async () => {
    const bob = await app.signUp({ email: 'bob@example.com' });
    const bobs = await setUp(bob);
    await setUp();
    await forgetUsedCodes();
    expect((await login(codeOf(bobs.secret))).statusCode).toBe(401);
    expect((await login(bobs.codes[0])).statusCode).toBe(401);
  });

  it('leaves refused codes in the security log', async () => {
    await setUp();
    await login('000000');
    const [newest] = (await app.as(ada.token, 'GET', '/api/audit')).json();
    expect(newest).toMatchObject({
      actor: 'ada@example.com',
      action: 'sign-in-refused',
      subject: 'wrong code',
    });
  });
});

it('takes the code of this half minute, the one before and the one after', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  // RFC 6238, appendix B, at 59 s: 94287082 in eight digits.
  expect(stepOf(secret, '287082', 59_000)).toBe(1);
  expect(stepOf(secret, '287082', 29_000)).toBe(1);
  expect(stepOf(secret, '287082', 89_000)).toBe(1);
  expect(stepOf(secret, '287082', 90_000)).toBeNull();
  expect(stepOf(secret, '287083', 59_000)).toBeNull();
});

describe('guessing', () => {
  let limited: TestApp;
  beforeAll(async () => {
    limited = await openTestApp({ config: { publicUrl: null, corsOrigins: [], rateLimit: true } });
  });
  afterAll(() => limited.close());

  it('ends after ten wrong codes in a quarter of an hour, from wherever; recovery codes work on', async () => {
    const { token } = await limited.signUp({ email: 'ada@example.com' });
    const { secret } = (await limited.as(token, 'POST', url, { password: aPassword })).json();
    const { recoveryCodes: codes } = (
      await limited.as(token, 'POST', `${url}/confirm`, { code: codeOf(secret) })
    ).json();
    const come = async (code: string) =>
      (
        await limited.server.inject({
          method: 'POST',
          url: '/api/auth/login',
          body: { email: 'ada@example.com', password: aPassword, code },
        })
      ).statusCode;
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push(await come('000000'));
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect(await come(codeOf(secret, 1))).toBe(429);
    expect(await come(codes[0])).toBe(200);
    expect(await come(codes[1])).toBe(200);
  });

  it('of one account at codes of the app stops no other', async () => {
    const limits = createSignInLimits(memoryLimiters);
    for (let n = 0; n < 5; n++) {
      await limits.code('ada');
      await limits.codeSucceeded('ada');
    }
    for (let n = 0; n < 10; n++) await limits.code('ada');
    await expect(limits.code('ada')).rejects.toMatchObject({ code: 'rate-limited' });
    await limits.code('bob');
  });

  it('at recovery codes from elsewhere stops nobody, and is slowed down all the same', async () => {
    const limits = createSignInLimits(memoryLimiters);
    for (let n = 0; n < 20; n++) await limits.recoveryCode('ada', '198.51.100.1');
    await expect(limits.recoveryCode('ada', '198.51.100.1')).rejects.toMatchObject({ code: 'rate-limited' });
    await limits.recoveryCode('ada', '203.0.113.7');
  });
});

describe('who has one', () => {
  it('makes new recovery codes for the password; those before work no longer', async () => {
    const { codes } = await setUp();
    const renew = (password: string) => app.as(ada.token, 'POST', `${url}/recovery-codes`, { password });
    expect((await renew('wrong')).statusCode).toBe(401);
    const fresh = (await renew(aPassword)).json().recoveryCodes;
    expect(fresh).toHaveLength(10);
    expect((await login(codes[0])).statusCode).toBe(401);
    expect((await login(fresh[0])).statusCode).toBe(200);
  });

  it('turns it off for the password, which ends every other session', async () => {
    const { codes } = await setUp();
    const other = (await login(codes[0])).json().token;
    expect((await app.as(ada.token, 'DELETE', url, { password: 'wrong' })).statusCode).toBe(401);
    expect((await app.as(ada.token, 'DELETE', url, { password: aPassword })).statusCode).toBe(204);
    expect([await me(ada.token), await me(other)]).toEqual([200, 401]);
    expect((await login()).statusCode).toBe(200);
    expect(await app.database.db.select().from(recoveryCodes)).toEqual([]);
    const log = (await app.as(ada.token, 'GET', '/api/audit')).json();
    expect(log.map(({ subject }: { subject?: string }) => subject)).toContain('second factor: off');
  });
});

describe('where everybody needs one', () => {
  const setting = '/api/settings/second-factor';

  it('an owner has one first, and may settle it alone', async () => {
    const bob = await app.signUp();
    const require = (who: SignedIn, required: boolean) => app.as(who.token, 'PUT', setting, { required });
    expect((await require(bob, true)).statusCode).toBe(403);
    expect((await require(ada, true)).statusCode).toBe(409);
    await setUp();
    expect((await require(ada, true)).json()).toEqual({ required: true });
    expect((await app.as(ada.token, 'GET', setting)).json()).toEqual({ required: true });
    expect((await app.as(ada.token, 'DELETE', url, { password: aPassword })).statusCode).toBe(409);
    expect((await require(ada, false)).statusCode).toBe(200);
  });

  it('who has none is signed out, comes in, and can do nothing but set it up', async () => {
    const bob = await app.signUp({ email: 'bob@example.com' });
    await setUp();
    await app.as(ada.token, 'PUT', setting, { required: true });
    expect([await me(ada.token), await me(bob.token)]).toEqual([200, 401]);
    const body = { email: 'bob@example.com', password: aPassword };
    const again = (await app.server.inject({ method: 'POST', url: '/api/auth/login', body })).json();
    expect(again.user.mustSetUpSecondFactor).toBe(true);
    expect((await app.as(again.token, 'GET', '/api/auth/me')).json()).toMatchObject(again.user);
    for (const path of ['/api/agents', '/api/conversations', '/api/auth/sessions', '/api/preferences']) {
      const refused = await app.as(again.token, 'GET', path);
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'second-factor-missing']);
    }
    expect(await connects(again.token)).toBe(false);
    await setUp(again);
    expect((await app.as(again.token, 'GET', '/api/auth/me')).json()).not.toHaveProperty(
      'mustSetUpSecondFactor',
    );
    expect((await app.as(again.token, 'GET', '/api/agents')).statusCode).toBe(200);
    expect(await connects(again.token)).toBe(true);
  });
});

async function connects(token: string): Promise<boolean> {
  address ??= await app.listen();
  const socket = io(address, {
    auth: { token },
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
  });
  const isIn = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('connect_error', () => resolve(false));
  });
  socket.disconnect();
  return isIn;
}
let address: string | undefined;

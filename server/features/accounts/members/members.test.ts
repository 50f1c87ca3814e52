import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditLog, conversations, invitations, users } from '#server/database/schema';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import type { Role, SignedIn } from '#shared/accounts';
import { aConversation, aPassword, aRegistration } from '../../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { aRecordingForm } from '../../../../tests/support/uploads.ts';

const store = createFakeMediaStore();
let app: TestApp;
let owner: SignedIn;
beforeAll(async () => {
  app = await openTestApp({ engines: { mediaStore: store } });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.empty();
  store.files.clear();
  owner = await app.signUp({ email: 'owner@example.com' });
});

const register = (changes: object = {}) =>
  app.server.inject({
    method: 'POST',
    url: '/api/auth/register',
    body: { ...aRegistration(), ...changes },
  });
const roleOf = async (who: SignedIn): Promise<Role> =>
  (await app.as(who.token, 'GET', '/api/auth/me')).json().role;
const give = (who: SignedIn, role: Role, by = owner) =>
  app.as(by.token, 'PUT', `/api/members/${who.user._id}`, { role });
const settle = (mode: string) => app.as(owner.token, 'PUT', '/api/settings/registration', { mode });
const invite = (email: string, role: Role = 'member') =>
  app.as(owner.token, 'POST', '/api/invitations', { email, role });
/** Makes a user who joined the workspace by an owner's invitation. */
async function join(role: Role = 'member', changes: { name?: string; email?: string } = {}, by = owner) {
  return app.join(by, role, changes);
}
const secretIn = (link: string) =>
  new URLSearchParams(new URL(link).hash.slice(1)).get('invitation') ?? 'none';

describe('the first account', () => {
  it('owns the installation, and no other does', async () => {
    expect(owner.user.role).toBe('owner');
    const bob = await app.signUp();
    expect([owner.user.isInstallationOwner, bob.user.isInstallationOwner]).toEqual([true, false]);
    // Owner of a new workspace.
    expect(bob.user.role).toBe('owner');
    expect(bob.user.workspaceId).not.toBe(owner.user.workspaceId);
    expect(await roleOf(owner)).toBe('owner');
  });

  it('is one, also when several are made at the same moment', async () => {
    await app.database.empty();
    const answers = await Promise.all([1, 2, 3, 4].map(() => register()));
    expect(answers.map((answer) => answer.json().user.isInstallationOwner).sort()).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('may be made whatever the registration mode, for nobody else could let it in', async () => {
    await settle('closed');
    expect((await register()).statusCode).toBe(403);
    await app.database.db.execute('delete from users');
    expect((await register()).json().user.role).toBe('owner');
    expect((await register()).json().message).toBe('Registration is closed.');
  });
});

describe('after the last account was deleted', () => {
  const erase = (who: SignedIn) => app.as(who.token, 'DELETE', '/api/auth/me', { password: aPassword });

  it.each(['open', 'invitation', 'closed'])('nobody is the first again, in the mode %s', async (mode) => {
    await settle(mode);
    expect((await erase(owner)).statusCode).toBe(204);
    for (let n = 0; n < 2; n++) {
      const refused = await register();
      expect([refused.statusCode, refused.json().message]).toEqual([
        403,
        'Registration is closed because the last account here was deleted. The operator of this server can make an owner with npm run reset-owner.',
      ]);
    }
  });

  it('there is an owner or nobody, whoever registers at the same moment', async () => {
    const answers = await Promise.all([erase(owner), ...[1, 2, 3].map(() => register())]);
    const registered = answers.slice(1).filter(({ statusCode }) => statusCode === 201).length;
    const owns = (await app.database.db.select().from(users)).map((user) => user.isInstallationOwner);
    expect(owns.includes(true)).toBe(registered > 0);
    expect(answers[0]?.statusCode).toBe(registered > 0 ? 409 : 204);
  });
});

describe('what is for owners', () => {
  it.each([
    ['GET', '/api/members', 'workspace'],
    ['PUT', '/api/members/x', 'workspace'],
    ['DELETE', '/api/members/x', 'workspace'],
    ['GET', '/api/settings/registration', 'installation'],
    ['PUT', '/api/settings/registration', 'installation'],
    ['GET', '/api/invitations', 'workspace'],
    ['POST', '/api/invitations', 'workspace'],
    ['DELETE', '/api/invitations/x', 'workspace'],
    ['GET', '/api/audit', 'installation'],
  ] as const)('answers 403 to %s %s of anybody else', async (method, url, of) => {
    const bob = await join();
    for (const role of ['member', 'supervisor'] as const) {
      await give(bob, role);
      const response = await app.as(bob.token, method, url, method === 'PUT' ? {} : undefined);
      expect([response.statusCode, response.json().message]).toEqual([
        403,
        `Only an owner of this ${of} may do this.`,
      ]);
    }
    expect((await app.server.inject({ method, url })).statusCode).toBe(401);
  });

  it('is open to somebody from the moment they are made an owner, and closed when they are none', async () => {
    const bob = await join();
    await give(bob, 'owner');
    expect((await app.as(bob.token, 'GET', '/api/members')).statusCode).toBe(200);
    await give(bob, 'member');
    expect((await app.as(bob.token, 'GET', '/api/members')).statusCode).toBe(403);
  });
});

describe('/api/members', () => {
  it('lists everybody, the oldest first, and no secret of theirs', async () => {
    const bob = await join('member', { name: 'Bob', email: 'bob@example.com' });
    const response = await app.as(owner.token, 'GET', '/api/members');
    expect(response.json()).toEqual([
      expect.objectContaining({ _id: owner.user._id, role: 'owner' }),
      {
        _id: bob.user._id,
        workspaceId: owner.user.workspaceId,
        name: 'Bob',
        email: 'bob@example.com',
        role: 'member',
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
      },
    ]);
  });

  it('gives somebody another role', async () => {
    const bob = await join();
    const response = await give(bob, 'supervisor');
    expect([response.statusCode, response.json().role]).toEqual([200, 'supervisor']);
    expect(await roleOf(bob)).toBe('supervisor');
  });

  it('keeps the last owner', async () => {
    const bob = await join();
    const response = await give(owner, 'member');
    expect([response.statusCode, response.json().code]).toEqual([409, 'conflict']);
    await give(bob, 'owner');
    expect((await give(owner, 'member')).statusCode).toBe(200);
    expect([await roleOf(owner), await roleOf(bob)]).toEqual(['member', 'owner']);
  });

  it('keeps one owner when two step down at the same moment', async () => {
    const bob = await join();
    await give(bob, 'owner');
    const answers = await Promise.all([give(owner, 'member', owner), give(bob, 'member', bob)]);
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1);
    expect([await roleOf(owner), await roleOf(bob)].sort()).toEqual(['member', 'owner']);
  });

  it.each(['018f0000-0000-7000-8000-000000000000', 'x'])('knows nobody as %s', async (id) => {
    const url = `/api/members/${id}`;
    expect((await app.as(owner.token, 'PUT', url, { role: 'owner' })).statusCode).toBe(404);
    expect((await app.as(owner.token, 'DELETE', url)).statusCode).toBe(404);
  });

  it('knows no other roles', async () => {
    const bob = await join();
    const response = await app.as(owner.token, 'PUT', `/api/members/${bob.user._id}`, { role: 'root' });
    expect([response.statusCode, response.json().fields]).toEqual([
      400,
      { role: 'Choose one of the roles.' },
    ]);
  });

  it('signs somebody out everywhere, and nobody else', async () => {
    const [bob, cleo] = [await join('member', { email: 'bob@example.com' }), await join()];
    const end = (by: SignedIn, id: string) => app.as(by.token, 'DELETE', `/api/members/${id}/sessions`);
    const isIn = async (who: SignedIn) => (await app.as(who.token, 'GET', '/api/auth/me')).statusCode === 200;
    expect((await end(cleo, bob.user._id)).statusCode).toBe(403);
    expect((await end(owner, '018f0000-0000-7000-8000-000000000000')).statusCode).toBe(404);
    expect((await end(owner, bob.user._id)).statusCode).toBe(204);
    expect([await isIn(bob), await isIn(cleo), await isIn(owner)]).toEqual([false, true, true]);
    const [entry] = (await app.as(owner.token, 'GET', '/api/audit')).json();
    expect(entry).toMatchObject({
      actor: 'owner@example.com',
      action: 'session-ended',
      subject: 'all sessions of bob@example.com',
    });
  });

  it('removes somebody with everything that is theirs, and nothing of others', async () => {
    const [bob, cleo] = [await join(), await join()];
    await keepsRecording(bob);
    await keepsRecording(cleo);
    expect(store.files.size).toBe(2);
    const response = await app.as(owner.token, 'DELETE', `/api/members/${bob.user._id}`);
    expect(response.statusCode).toBe(204);
    expect((await app.as(bob.token, 'GET', '/api/auth/me')).statusCode).toBe(401);
    await expect.poll(() => store.files.size).toBe(1);
    const { rows } = await app.database.db.execute<{ n: number }>(
      `select (select count(*) from conversations where contact_id = '${bob.user._id}')
        + (select count(*) from contacts where id = '${bob.user._id}')
        + (select count(*) from recordings where contact_id = '${bob.user._id}')
        + (select count(*) from users where id = '${bob.user._id}') as n`,
    );
    expect(Number(rows[0]?.n)).toBe(0);
    expect((await app.as(cleo.token, 'GET', '/api/conversations')).json()).toHaveLength(1);
  });

  it('does not remove the one who asks', async () => {
    const response = await app.as(owner.token, 'DELETE', `/api/members/${owner.user._id}`);
    expect(response.statusCode).toBe(409);
    expect(await roleOf(owner)).toBe('owner');
  });
});

describe('DELETE /api/auth/me', () => {
  const erase = (who: SignedIn, password = aPassword) =>
    app.as(who.token, 'DELETE', '/api/auth/me', { password });

  it('takes the account and everything in it away, for the right password alone', async () => {
    const bob = await app.signUp();
    await keepsRecording(bob);
    const refused = await erase(bob, 'not this one');
    expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([401, ['password']]);
    expect(store.files.size).toBe(1);
    expect((await erase(bob)).statusCode).toBe(204);
    await expect.poll(() => store.files.size).toBe(0);
    const again = { email: bob.user.email, password: aPassword };
    const response = await app.server.inject({ method: 'POST', url: '/api/auth/login', body: again });
    expect(response.statusCode).toBe(401);
    expect((await register({ email: bob.user.email })).statusCode).toBe(201);
  });

  it('keeps the last owner while there is anybody else', async () => {
    const bob = await app.signUp();
    expect((await erase(owner)).statusCode).toBe(409);
    expect(await roleOf(owner)).toBe('owner');
    expect((await erase(bob)).statusCode).toBe(204);
    expect((await erase(owner)).statusCode).toBe(204);
    expect(await app.database.db.select().from(users)).toEqual([]);
  });
});

/** Makes an agent, and records an utterance. */
async function keepsRecording(who: SignedIn): Promise<void> {
  const agent = {
    name: 'Mia',
    companyName: 'Contoso',
    personality: 'Brisk.',
    companyInfo: 'Open.',
    prompts: [],
  };
  await app.as(who.token, 'POST', '/api/agents', agent);
  const conversation = aConversation(who.user._id);
  await app.database.db.insert(conversations).values(conversation);
  const form = await aRecordingForm();
  const response = await app.server.inject({
    method: 'POST',
    url: `/api/conversations/${conversation.id}/audio`,
    headers: { ...form.headers, authorization: `Bearer ${who.token}` },
    payload: form.body,
  });
  expect(response.statusCode).toBe(201);
}

describe('registration', () => {
  it('is open until somebody settles it, or the environment says otherwise', async () => {
    const mode = async (of: TestApp, token: string) =>
      (await of.as(token, 'GET', '/api/settings/registration')).json();
    expect(await mode(app, owner.token)).toEqual({ mode: 'open' });
    const closed = await openTestApp({
      config: { publicUrl: null, corsOrigins: [], rateLimit: false, registration: 'closed' },
    });
    try {
      const first = await closed.signUp();
      expect(await mode(closed, first.token)).toEqual({ mode: 'closed' });
      await closed.as(first.token, 'PUT', '/api/settings/registration', { mode: 'open' });
      expect((await closed.signUp()).user.isInstallationOwner).toBe(false);
    } finally {
      await closed.close();
    }
  });

  it.each([
    ['invitation', 'Registration is by invitation.'],
    ['closed', 'Registration is closed.'],
  ])(
    'by the mode %s is refused with its sentence, also for an address that has an account',
    async (mode, sentence) => {
      expect((await settle(mode)).json()).toEqual({ mode });
      for (const changes of [{}, { email: 'owner@example.com' }]) {
        const response = await register(changes);
        expect([response.statusCode, response.json().message]).toEqual([403, sentence]);
      }
    },
  );

  it('knows no other modes', async () => {
    expect((await settle('sometimes')).statusCode).toBe(400);
  });
});

describe('an invitation', () => {
  beforeEach(() => settle('invitation'));

  it('is a link that makes one account, with the role it was made for', async () => {
    const response = await invite(' Bob@Example.com ', 'supervisor');
    expect(response.statusCode).toBe(201);
    const { link, ...invitation } = response.json();
    expect(invitation).toEqual({
      _id: expect.any(String),
      email: 'bob@example.com',
      role: 'supervisor',
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(link).toMatch(/^http:\/\/[^/]+\/register#invitation=[\w-]{43}&email=bob%40example\.com$/);
    expect((await app.as(owner.token, 'GET', '/api/invitations')).json()).toEqual([invitation]);
    const used = { email: 'bob@example.com', invitation: secretIn(link) };
    expect((await register(used)).json().user.role).toBe('supervisor');
    expect((await app.as(owner.token, 'GET', '/api/invitations')).json()).toEqual([]);
    expect((await register({ ...used, email: 'eve@example.com' })).statusCode).toBe(403);
  });

  it('is stored as a hash alone', async () => {
    const secret = secretIn((await invite('bob@example.com')).json().link);
    expect(JSON.stringify(await app.database.db.select().from(invitations))).not.toContain(secret);
    expect(JSON.stringify(await app.database.db.select().from(auditLog))).not.toContain(secret);
  });

  it('leads to PUBLIC_URL where there is one', async () => {
    const behind = await openTestApp({
      config: { publicUrl: 'https://care.example.com/', corsOrigins: [], rateLimit: false },
    });
    try {
      const { token } = await behind.signUp();
      const body = { email: 'bob@example.com', role: 'member' };
      const { link } = (await behind.as(token, 'POST', '/api/invitations', body)).json();
      expect(link).toMatch(/^https:\/\/care\.example\.com\/register#/);
    } finally {
      await behind.close();
    }
  });

  it.each([
    ['for another address', async () => secretIn((await invite('bob@example.com')).json().link)],
    ['that nobody made', async () => 'x'.repeat(43)],
    [
      'that was withdrawn',
      async () => {
        const { _id, link } = (await invite('eve@example.com')).json();
        expect((await app.as(owner.token, 'DELETE', `/api/invitations/${_id}`)).statusCode).toBe(204);
        return secretIn(link);
      },
    ],
    [
      'that a later one has replaced',
      async () => {
        const { link } = (await invite('eve@example.com')).json();
        await invite('eve@example.com');
        return secretIn(link);
      },
    ],
    [
      'that has expired',
      async () => {
        const { link } = (await invite('eve@example.com')).json();
        await app.database.db.update(invitations).set({ expiresAt: new Date(Date.now() - 1) });
        return secretIn(link);
      },
    ],
    [
      'while registration is closed',
      async () => {
        const { link } = (await invite('eve@example.com')).json();
        await settle('closed');
        return secretIn(link);
      },
    ],
  ])('%s lets nobody in', async (_what, make) => {
    const response = await register({ email: 'eve@example.com', invitation: await make() });
    expect([response.statusCode, response.json().code]).toEqual([403, 'forbidden']);
  });

  it('makes one account of two that use it at the same moment', async () => {
    const invitation = secretIn((await invite('bob@example.com')).json().link);
    const answers = await Promise.all([1, 2].map(() => register({ email: 'bob@example.com', invitation })));
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 201)).toHaveLength(1);
  });

  it('is not made for an address that has an account, nor while registration is closed', async () => {
    expect((await invite('owner@example.com')).statusCode).toBe(409);
    await settle('closed');
    expect((await invite('bob@example.com')).statusCode).toBe(409);
  });
});

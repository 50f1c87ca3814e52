import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agents, contacts, conversations, workspaces } from '#server/database/schema';
import type { SignedIn } from '#shared/accounts';
import { aConversation, aPassword } from '../../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';

/* A business with colleagues: what members of one workspace share, and what stays when one leaves. */

let app: TestApp;
/** Owns the installation. */
let operator: SignedIn;
/** Owns a workspace. */
let ada: SignedIn;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.empty();
  operator = await app.signUp();
  ada = await app.signUp({ name: 'Ada', email: 'ada@example.com' });
});

const agentForm = {
  ...{ name: 'Mia', companyName: 'Contoso', personality: 'Brisk.', companyInfo: 'Open at night.' },
  prompts: [],
};
const anAgentOf = async (who: SignedIn): Promise<string> =>
  (await app.as(who.token, 'POST', '/api/agents', agentForm)).json()._id;
const statusOf = async (who: SignedIn, url: string) => (await app.as(who.token, 'GET', url)).statusCode;
const erase = (who: SignedIn) => app.as(who.token, 'DELETE', '/api/auth/me', { password: aPassword });
const invite = (who: SignedIn, email = 'cleo@example.com') =>
  app.as(who.token, 'POST', '/api/invitations', { email, role: 'member' });
const sentenceOf = (response: { statusCode: number; json(): { message: string } }) => [
  response.statusCode,
  response.json().message,
];

describe('members of a workspace', () => {
  it('share its agents, with the versions that each of them made, and nobody else does', async () => {
    const bob = await app.join(ada, 'supervisor', { name: 'Bob' });
    expect(bob.user).toMatchObject({
      role: 'supervisor',
      workspaceId: ada.user.workspaceId,
      isInstallationOwner: false,
    });
    const agent = await anAgentOf(ada);
    expect((await app.as(bob.token, 'GET', '/api/agents')).json()).toMatchObject([{ _id: agent }]);
    await app.as(bob.token, 'PUT', `/api/agents/${agent}`, { ...agentForm, personality: 'Warm.' });
    const versions = (await app.as(ada.token, 'GET', `/api/agents/${agent}/versions`)).json();
    expect(versions).toMatchObject([{ by: { name: 'Bob' } }, { by: { name: 'Ada' } }]);
    for (const stranger of [operator, await app.signUp()])
      expect(await statusOf(stranger, `/api/agents/${agent}`)).toBe(404);
  });

  it('keep their own calls from each other, but not from those who answer for the workspace', async () => {
    const [bob, cleo] = [await app.join(ada, 'member'), await app.join(ada, 'member')];
    const call = aConversation(bob.user._id);
    await app.database.db.insert(conversations).values(call);
    expect(await statusOf(bob, `/api/conversations/${call.id}`)).toBe(200);
    expect(await statusOf(cleo, `/api/conversations/${call.id}`)).toBe(404);
    expect(await statusOf(ada, `/api/conversations/${call.id}`)).toBe(200);
  });

  it('leave its agents behind, and take their own calls along', async () => {
    const bob = await app.join(ada, 'supervisor', { name: 'Bob' });
    const agent = await anAgentOf(bob);
    await app.database.db.insert(conversations).values(aConversation(bob.user._id, { agentId: agent }));
    expect((await app.as(ada.token, 'DELETE', `/api/members/${bob.user._id}`)).statusCode).toBe(204);
    expect(await app.database.db.select().from(conversations)).toEqual([]);
    const versions = (await app.as(ada.token, 'GET', `/api/agents/${agent}/versions`)).json();
    expect(versions).toMatchObject([{ by: { name: 'Somebody who has left' } }]);
  });

  it('are its contacts, each under their own id', async () => {
    const bob = await app.join(ada, 'member', { name: 'Bob', email: 'bob@example.com' });
    const { workspaceId } = ada.user;
    const row = { workspaceId, userId: bob.user._id, name: 'Bob', email: 'bob@example.com', verified: true };
    const all = await app.database.db.select().from(contacts);
    expect(all.find(({ id }) => id === bob.user._id)).toMatchObject(row);
  });
});

describe('a workspace', () => {
  it('goes with its last member, with all that is in it', async () => {
    await anAgentOf(ada);
    expect((await erase(ada)).statusCode).toBe(204);
    const { db } = app.database;
    expect(await db.select({ id: workspaces.id }).from(workspaces)).toEqual([
      { id: operator.user.workspaceId },
    ]);
    expect(await db.select().from(agents)).toEqual([]);
  });

  it('keeps an owner while others are in it', async () => {
    const bob = await app.join(ada, 'member');
    const sentence =
      'This is the last owner of the workspace. Make another member an owner first: a workspace needs one.';
    expect(sentenceOf(await erase(ada))).toEqual([409, sentence]);
    const change = (role: string, of: SignedIn) =>
      app.as(ada.token, 'PUT', `/api/members/${of.user._id}`, { role });
    expect(sentenceOf(await change('member', ada))).toEqual([409, sentence]);
    expect((await change('owner', bob)).statusCode).toBe(200);
    expect((await erase(ada)).statusCode).toBe(204);
  });

  it('makes no owner of the installation', async () => {
    const bob = await app.join(ada, 'owner');
    expect(bob.user).toMatchObject({ role: 'owner', isInstallationOwner: false });
    expect(await statusOf(bob, '/api/settings/engines')).toBe(403);
    const second = await app.join(operator, 'owner');
    expect(second.user.isInstallationOwner).toBe(true);
  });

  it('is seen by owners of the installation, who give no role in it', async () => {
    const listed = (await app.as(operator.token, 'GET', '/api/members')).json();
    expect(listed).toMatchObject([{ _id: operator.user._id }, { _id: ada.user._id }]);
    const url = `/api/members/${ada.user._id}`;
    expect((await app.as(operator.token, 'PUT', url, { role: 'member' })).statusCode).toBe(404);
    expect((await app.as(ada.token, 'GET', '/api/members')).json()).toMatchObject([{ _id: ada.user._id }]);
    expect((await app.as(ada.token, 'DELETE', `/api/members/${operator.user._id}`)).statusCode).toBe(404);
    expect((await app.as(operator.token, 'DELETE', url)).statusCode).toBe(204);
  });
});

describe('an invitation into a workspace', () => {
  it('is not for somebody who has an account', async () => {
    expect(sentenceOf(await invite(ada, operator.user.email))).toEqual([
      409,
      'Somebody with this email address already has an account, and an account belongs to one workspace. Invite another address, or ask them to delete that account first.',
    ]);
  });

  it('is for owners of the installation alone where registration is not open', async () => {
    await app.as(operator.token, 'PUT', '/api/settings/registration', { mode: 'invitation' });
    expect(sentenceOf(await invite(ada))).toEqual([
      403,
      'Registration is not open here. Ask an owner of this installation to let somebody in.',
    ]);
    expect((await invite(operator)).statusCode).toBe(201);
  });

  it('lets nobody in once registration is not open any more', async () => {
    const { link } = (await invite(ada)).json();
    await app.as(operator.token, 'PUT', '/api/settings/registration', { mode: 'invitation' });
    const invitation = new URLSearchParams(new URL(link).hash.slice(1)).get('invitation');
    const body = { name: 'Cleo', email: 'cleo@example.com', password: aPassword, invitation };
    const refused = await app.server.inject({ method: 'POST', url: '/api/auth/register', body });
    expect(refused.statusCode).toBe(403);
  });

  it('stands beside one into another workspace for the same address', async () => {
    await invite(ada);
    await invite(operator);
    for (const owner of [ada, operator])
      expect((await app.as(owner.token, 'GET', '/api/invitations')).json()).toHaveLength(1);
  });
});

import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  agents,
  auditLog,
  conversations,
  documents,
  identities,
  invitations,
  messages,
  passwordResets,
  recordings,
  recoveryCodes,
  roomInvites,
  rooms,
  secondFactors,
  sessions,
  signInAddresses,
  users,
} from '#server/database/schema';
import { createFakeMail } from '#server/engines/mail/fake';
import { createFakeRooms } from '#server/engines/rooms/fake';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import type { SignedIn } from '#shared/accounts';
import { aConversation, aMessage, anActionDraft, anAgent, aPassword } from '../../../../tests/factories.ts';
import { type FederatedApp, openFederatedApp } from '../../../../tests/support/federated-app.ts';
import { quickPasswords } from '../../../../tests/support/quick-passwords.ts';
import type { TestApp } from '../../../../tests/support/test-app.ts';
import { aRecordingForm } from '../../../../tests/support/uploads.ts';

/**
 * A stranger registered with Ada's address and left things behind. Then Ada signs in by the provider that knows the
 * address is hers.
 */

const store = createFakeMediaStore();
let federated: FederatedApp;
let app: TestApp;
let owner: SignedIn;
beforeAll(async () => {
  federated = await openFederatedApp({
    engines: { mediaStore: store, mail: createFakeMail(), rooms: createFakeRooms() },
  });
  ({ app } = federated);
});
afterAll(() => federated.close());
beforeEach(async () => {
  await app.database.empty();
  store.files.clear();
  federated.provider.person = {
    sub: 'ada-at-work',
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada Lovelace',
  };
  owner = await app.signUp({ email: 'owner@example.com' });
});

const squat = () => app.signUp({ email: 'ada@example.com', name: 'Helpdesk' });
const byPassword = (code?: string) =>
  app.server.inject({
    method: 'POST',
    url: '/api/auth/login',
    body: { email: 'ada@example.com', password: aPassword, ...(code === undefined ? {} : { code }) },
  });
const things = {
  agents: 1,
  actions: 1,
  documents: 1,
  conversations: 1,
  recordings: 1,
  rooms: 1,
};

/** Adds one of everything that an account can hold. @returns the ids of the agent and the conversation */
async function fill({ token, user }: SignedIn) {
  const { db } = app.database;
  const agent = anAgent(user._id);
  const conversation = aConversation(user._id, { agentId: agent.id });
  await db.insert(agents).values(agent);
  await db.insert(conversations).values(conversation);
  await db.insert(messages).values(aMessage(conversation.id));
  const form = await aRecordingForm('When are you open?');
  await app.server.inject({
    method: 'POST',
    url: `/api/conversations/${conversation.id}/audio`,
    headers: { authorization: `Bearer ${token}`, ...form.headers },
    payload: form.body,
  });
  await app.as(token, 'POST', `/api/agents/${agent.id}/actions`, anActionDraft);
  const text = { title: 'Hours', text: 'We are open from 9 to 17.' };
  await app.as(token, 'POST', `/api/agents/${agent.id}/documents`, text);
  const room = { roomName: 'desk', participantName: 'x', participantIdentity: user._id };
  await app.as(token, 'POST', '/api/livekit/create-room', room);
  await app.as(token, 'PUT', '/api/livekit/rooms/desk', { agentStays: true });
  await app.as(token, 'POST', '/api/livekit/rooms/desk/invites');
  return { agent: agent.id, conversation: conversation.id };
}

/** Adds every way into the account that a stranger can leave behind. @returns a link to a recording of theirs */
async function leaveWaysIn({ token }: SignedIn) {
  await app.as(token, 'POST', '/api/invitations', { email: 'eve@example.com', role: 'owner' });
  await app.server.inject({
    method: 'POST',
    url: '/api/auth/password-reset',
    body: { email: 'ada@example.com' },
  });
  await expect.poll(() => app.database.db.select().from(passwordResets)).toHaveLength(1);
  const url = '/api/auth/second-factor';
  const { secret } = (await app.as(token, 'POST', url, { password: aPassword })).json();
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  expect((await app.as(token, 'POST', `${url}/confirm`, { code })).statusCode).toBe(200);
}
const waysIn = async (userId: string) => {
  const { db } = app.database;
  return {
    sessions: await db.$count(sessions, eq(sessions.userId, userId)),
    resets: await db.$count(passwordResets, eq(passwordResets.userId, userId)),
    factors: await db.$count(secondFactors, eq(secondFactors.userId, userId)),
    codes: await db.$count(recoveryCodes, eq(recoveryCodes.userId, userId)),
    invitations: await db.$count(invitations, eq(invitations.invitedBy, userId)),
    addresses: await db.$count(signInAddresses, eq(signInAddresses.userId, userId)),
    roomInvites: await db.$count(roomInvites),
    staying: await db.$count(rooms, eq(rooms.agentStays, true)),
  };
};
const nobody = {
  sessions: 0,
  resets: 0,
  factors: 0,
  codes: 0,
  invitations: 0,
  addresses: 0,
  roomInvites: 0,
  staying: 0,
};

describe('an account that somebody made with the address of another person', () => {
  it('keeps no way in of theirs from the moment the person comes', async () => {
    const eve = await squat();
    const { conversation } = await fill(eve);
    await leaveWaysIn(eve);
    const [recorded] = (await app.as(eve.token, 'GET', `/api/conversations/${conversation}`)).json().messages;
    const listen = () => app.server.inject(recorded.audioUrl);
    expect((await listen()).statusCode).toBe(200);
    expect(Object.values(await waysIn(eve.user._id)).every((count) => count > 0)).toBe(true);
    const socket = io(await app.listen(), { auth: { token: eve.token }, transports: ['websocket'] });
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    const cutOff = new Promise((resolve) => socket.once('disconnect', resolve));

    expect((await federated.comeBack()).statusCode).toBe(200);
    await cutOff;
    socket.close();
    expect(await waysIn(eve.user._id)).toEqual(nobody);
    expect((await app.as(eve.token, 'GET', '/api/auth/me')).statusCode).toBe(401);
    expect((await byPassword()).statusCode).toBe(401);
    expect((await listen()).statusCode).toBe(403);
  });

  it('is told in numbers, under the name that the provider tells, and nobody comes in before they chose', async () => {
    const eve = await squat();
    await fill(eve);
    const back = (await federated.comeBack()).json();
    expect(back.existing).toEqual({ createdAt: expect.any(String), ...things });
    const asked = await federated.use(back.ticket);
    expect([asked.statusCode, asked.json().code, asked.json().message]).toEqual([
      409,
      'choice-needed',
      'There is already an account with your email address, made by somebody who did not confirm the address. Choose whether to start empty or to take over what is in it.',
    ]);
    const members = (await app.as(owner.token, 'GET', '/api/members')).json();
    expect(members[1]).toMatchObject({ email: 'ada@example.com', name: 'Ada Lovelace' });
    // The choice is asked again after leaving the page.
    expect((await federated.comeBack()).json().existing).toEqual(back.existing);
  });

  it('is not come into with a password from a link either, before they chose', async () => {
    await fill(await squat());
    await federated.comeBack();
    await app.database.db
      .update(users)
      .set({ passwordHash: (await app.database.db.select().from(users))[0]?.passwordHash ?? null })
      .where(eq(users.email, 'ada@example.com'));
    const refused = await byPassword();
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'Sign in at the identity provider first, and choose what happens to what is in this account.',
    ]);
  });

  it('starts empty, where they want that: nothing of before is left in it', async () => {
    const eve = await squat();
    await fill(eve);
    await app.as(eve.token, 'PUT', '/api/preferences', { soundCues: false });
    const ada: SignedIn = (await federated.signIn({ existing: 'start-empty' })).json();
    expect(ada.user).toMatchObject({
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      isInstallationOwner: false,
    });
    expect(ada.user._id).not.toBe(eve.user._id);
    const { db } = app.database;
    for (const table of [agents, conversations, documents, recordings, rooms])
      expect(await db.select().from(table)).toEqual([]);
    expect(store.files.size).toBe(0);
    expect((await app.as(ada.token, 'GET', '/api/preferences')).json().soundCues).toBe(true);
    expect(await db.select().from(identities)).toMatchObject([{ userId: ada.user._id }]);
    expect((await federated.signIn()).json().user).toEqual(ada.user);
    expect((await db.select().from(auditLog)).map(({ action, subject }) => [action, subject])).toContainEqual(
      ['erased', 'what was in the account before its address was confirmed'],
    );
  });

  it('is theirs with what is in it, where they want that', async () => {
    const eve = await squat();
    const { agent } = await fill(eve);
    const ada: SignedIn = (await federated.signIn({ existing: 'take-over' })).json();
    expect(ada.user).toMatchObject({ _id: eve.user._id, name: 'Ada Lovelace' });
    expect((await app.as(ada.token, 'GET', `/api/agents/${agent}`)).statusCode).toBe(200);
    expect((await app.as(ada.token, 'GET', `/api/agents/${agent}/actions`)).json()).toHaveLength(1);
    expect((await federated.signIn()).json().user).toEqual(ada.user);
  });

  it('is taken over without a way in that a request under way has made meanwhile', async () => {
    const eve = await squat();
    await fill(eve);
    const ticket = await federated.aTicket();
    const { db } = app.database;
    await db
      .update(users)
      .set({ passwordHash: await quickPasswords.hash(aPassword) })
      .where(eq(users.id, eve.user._id));
    await db.insert(secondFactors).values({
      userId: eve.user._id,
      sealedSecret: 'x',
      confirmedAt: new Date(),
    });
    expect((await federated.use(ticket, { existing: 'take-over' })).statusCode).toBe(200);
    expect(await waysIn(eve.user._id)).toMatchObject({ factors: 0, invitations: 0 });
    expect((await byPassword()).statusCode).toBe(401);
  });

  it('is decided about once, whatever is chosen at the same moment with one ticket', async () => {
    await fill(await squat());
    const ticket = await federated.aTicket();
    const choices = ['start-empty', 'take-over', 'start-empty'] as const;
    const answers = await Promise.all(choices.map((existing) => federated.use(ticket, { existing })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400]);
  });

  it('is theirs without a question where there is nothing in it', async () => {
    const eve = await squat();
    const back = (await federated.comeBack()).json();
    expect(back).not.toHaveProperty('existing');
    const ada: SignedIn = (await federated.use(back.ticket)).json();
    expect(ada.user).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com' });
    expect(ada.user._id).not.toBe(eve.user._id);
    expect((await app.as(eve.token, 'GET', '/api/auth/me')).statusCode).toBe(401);
  });

  it('stays what it is in the installation, and the last owner is one in between, too', async () => {
    await app.database.empty();
    await fill(await squat());
    const ticket = await federated.aTicket();
    expect((await app.signUp({ email: 'bob@example.com' })).user.isInstallationOwner).toBe(false);
    const ada: SignedIn = (await federated.use(ticket, { existing: 'start-empty' })).json();
    expect(ada.user).toMatchObject({ role: 'owner', isInstallationOwner: true });
  });
});

import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  agents,
  conversations,
  messages,
  recordings,
  unansweredQuestions,
  users,
} from '#server/database/schema';
import { createFakeRooms } from '#server/engines/rooms/fake';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import type { SignedIn } from '#shared/accounts';
import {
  aConversation,
  aMessage,
  anActionDraft,
  anAgent,
  anUnansweredQuestion,
  aRoomParticipant,
} from '../tests/factories.ts';
import { documentSchema, operationsOf } from '../tests/support/openapi-document.ts';
import { openTestApp, type TestApp } from '../tests/support/test-app.ts';
import { aRecordingForm } from '../tests/support/uploads.ts';
import {
  type Asker,
  aDocument,
  askers,
  type Belongings,
  routeRights,
  statusFor,
} from '../tests/support/who-may.ts';

/* Everybody at every route: who is answered, who is not, and that what is refused changes nothing. */

/** In everything that belongs to one account alone. */
const SECRET = 'xyzzy';

const methodSchema = z.enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']);

const rooms = createFakeRooms();
const mediaStore = createFakeMediaStore();
let app: TestApp;
let owner: SignedIn;
let operations: string[];

beforeAll(async () => {
  // Whoever waits in a lobby is forgotten after a while: not here, however slow the machine is.
  vi.useFakeTimers({ toFake: ['Date'] });
  app = await openTestApp({ engines: { rooms, mediaStore } });
  // The first account owns the installation.
  owner = await app.signUp();
  operations = [
    ...operationsOf(documentSchema.parse((await app.server.inject('/api/openapi.json')).json())).keys(),
  ];
});
afterAll(async () => {
  await app.close();
  vi.useRealTimers();
});

/** A member, and one of everything of hers. */
async function somebody(): Promise<{ her: SignedIn; of: Belongings }> {
  const her = await app.signUp({ name: `Ada ${SECRET}` });
  const userId = her.user._id;
  const { db } = app.database;
  const agent = anAgent(userId, { name: SECRET, companyInfo: `${SECRET} opens at nine.` });
  const conversation = aConversation(userId, { title: SECRET, agentId: agent.id });
  const question = aMessage(conversation.id, { content: `${SECRET}?` });
  const reply = aMessage(conversation.id, { role: 'assistant', content: SECRET, replyTo: question.id });
  const recording = {
    id: uuidv7(),
    userId,
    conversationId: conversation.id,
    messageId: question.id,
    mediaType: 'audio/wav',
    bytes: SECRET.length,
    speaker: 'customer' as const,
    transcript: SECRET,
    storageKey: uuidv7(),
  };
  await mediaStore.put(recording.storageKey, Readable.from([Buffer.from(SECRET)]), {
    mediaType: 'audio/wav',
  });
  const asked = { messageId: question.id, conversationId: conversation.id, userId, replyId: reply.id };
  const unanswered = anUnansweredQuestion(asked, { agentId: agent.id, question: `${SECRET}?` });
  await db.insert(agents).values(agent);
  await db.insert(conversations).values(conversation);
  await db.insert(messages).values([question, reply]);
  await db.insert(recordings).values(recording);
  await db.insert(unansweredQuestions).values(unanswered);

  const room = `Room ${uuidv7()}`;
  const aRoom = (identity: string) => ({
    roomName: room,
    participantName: 'x',
    participantIdentity: identity,
  });
  await app.as(her.token, 'POST', '/api/livekit/create-room', aRoom(userId));
  await app.as(her.token, 'PUT', `/api/livekit/rooms/${encodeURIComponent(room)}`, { lobby: true });
  const knocks = await app.signUp();
  await app.as(knocks.token, 'POST', '/api/livekit/join-room', aRoom(knocks.user._id));
  const guest = aRoomParticipant();
  rooms.people.set(room, [guest]);

  const ofAgent = async (what: string, body: object): Promise<string> =>
    (await app.as(her.token, 'POST', `/api/agents/${agent.id}/${what}`, body)).json()._id;
  // From here on it has versions.
  await app.as(her.token, 'PUT', `/api/agents/${agent.id}`, { ...agent, personality: 'Brief.' });
  const [session] = (await app.as(her.token, 'GET', '/api/auth/sessions')).json();
  const invitation = { email: `${uuidv7()}@example.com`, role: 'member' };
  return {
    her,
    of: {
      user: userId,
      session: session._id,
      agent: agent.id ?? '',
      document: await ofAgent('documents', { ...aDocument, title: SECRET }),
      action: await ofAgent('actions', anActionDraft),
      conversation: conversation.id ?? '',
      question: unanswered.messageId,
      recording: recording.id,
      room,
      knocks: knocks.user._id,
      guest: guest.identity,
      invitation: (await app.as(owner.token, 'POST', '/api/invitations', invitation)).json()._id,
      otherMember: (await app.signUp()).user._id,
    },
  };
}

/** All that she sees of her own, without what is signed for a while. */
async function thingsOf({ her, of }: Awaited<ReturnType<typeof somebody>>): Promise<string> {
  const urls = [
    '/api/auth/me',
    '/api/auth/sessions',
    '/api/agents',
    `/api/agents/${of.agent}/versions`,
    '/api/conversations',
    '/api/preferences',
    '/api/insights/unanswered',
    `/api/livekit/rooms/${encodeURIComponent(of.room)}`,
  ];
  const seen: string[] = [];
  for (const url of urls) seen.push((await app.as(her.token, 'GET', url)).body);
  return seen
    .join('\n')
    .replaceAll(/\?expires[^"]*/g, '')
    .replaceAll(/"lastUsedAt":"[^"]*"/g, '');
}

/** A new account of a role. */
async function signIn(role: 'member' | 'supervisor' | 'owner'): Promise<SignedIn> {
  const signedIn = await app.signUp();
  await app.database.db.update(users).set({ role }).where(eq(users.id, signedIn.user._id));
  return signedIn;
}

it('says of every route who may use it', () => {
  expect(Object.keys(routeRights).sort()).toEqual(operations.sort());
});

it.each(Object.entries(routeRights))(
  '%s answers those it is for, and nobody else',
  async (operation, right) => {
    const [method = '', path = ''] = operation.split(' ');
    const hers = await somebody();
    const { her, of } = hers;
    const names = right.names?.(of) ?? [];
    const url = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(names.shift() ?? ''));
    const ask = async (asker: Asker) => {
      const who = asker === 'nobody' ? null : asker === 'herself' ? her : await signIn(asker);
      const form = right.isUpload ? await aRecordingForm() : null;
      const body = form?.body ?? right.body?.(who?.user._id ?? of.user);
      return app.server.inject({
        method: methodSchema.parse(method),
        url,
        headers: { ...form?.headers, ...(who ? { authorization: `Bearer ${who.token}` } : {}) },
        ...(body ? { body } : {}),
      });
    };
    const before = await thingsOf(hers);
    expect(before).toContain(SECRET);
    for (const asker of askers.filter((each) => each !== 'herself')) {
      const { statusCode, body } = await ask(asker);
      expect([asker, statusCode, body.slice(0, 300)]).toEqual([
        asker,
        statusFor(right, asker),
        expect.anything(),
      ]);
      // Owners see who is in the installation: names, not things.
      if (right.for !== 'owners' || asker !== 'owner') expect([asker, body]).not.toContain(SECRET);
      expect(body).not.toContain(`${SECRET} opens`);
    }
    expect(await thingsOf(hers)).toBe(before);
    const answer = await ask('herself');
    expect([answer.statusCode, answer.body.slice(0, 300)]).toEqual([
      statusFor(right, 'herself'),
      expect.anything(),
    ]);
  },
);

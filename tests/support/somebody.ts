import { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { agents, conversations, messages, recordings, unansweredQuestions } from '#server/database/schema';
import type { createFakeRooms } from '#server/engines/rooms/fake';
import type { MediaStore } from '#server/engines/storage/contract';
import type { SignedIn } from '#shared/accounts';
import {
  aConversation,
  aMessage,
  anActionDraft,
  anAgent,
  anUnansweredQuestion,
  aRoomParticipant,
} from '../factories.ts';
import type { TestApp } from './test-app.ts';
import { aDocument, type Belongings } from './who-may.ts';

/** Occurs in everything that belongs to only this account. */
export const SECRET = 'xyzzy';

export interface Somebody {
  her: SignedIn;
  of: Belongings;
}

interface Place {
  app: TestApp;
  /** Rooms of the whole installation. */
  rooms: ReturnType<typeof createFakeRooms>;
  mediaStore: MediaStore;
}

/** A member with one of everything. */
export async function somebodyIn({ app, rooms, mediaStore }: Place): Promise<Somebody> {
  const her = await app.signUp({ name: `Ada ${SECRET}` });
  const userId = her.user._id;
  const { db } = app.database;
  const agent = anAgent(userId, { name: SECRET, companyInfo: `${SECRET} opens at nine.` });
  const conversation = aConversation(userId, { title: SECRET, agentId: agent.id });
  const question = aMessage(conversation.id, { content: `${SECRET}?` });
  const reply = aMessage(conversation.id, { role: 'assistant', content: SECRET, replyTo: question.id });
  const recording = {
    id: uuidv7(),
    contactId: userId,
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
      key: (await app.as(her.token, 'POST', '/api/keys', { name: 'Till', scopes: ['agents:read'] })).json()
        ._id,
      invitation: (await app.as(her.token, 'POST', '/api/invitations', invitation)).json()._id,
      otherMember: (await app.join(her, 'owner')).user._id,
    },
  };
}

import { type SQL, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { agents, conversations, messages, unansweredQuestions, users } from '#server/database/schema';
import type { RoomParticipant } from '#server/engines/rooms/contract';
import type { ContactScope } from '#server/lib/scope';
import type { Member } from '#server/lib/session';
import type { Registration, User } from '#shared/accounts';

/** Whole, valid things; a test names only what it is about. Nothing here is a secret or a real person. */

export const aPassword = 'correct horse battery staple';

/** What somebody types into the registration form; every one has an address of its own. */
export function aRegistration(changes: Partial<Registration> = {}): Registration {
  return { name: 'Ada Lovelace', email: `ada-${uuidv7()}@example.com`, password: aPassword, ...changes };
}

/** The workspace that somebody in the database is a member of, as a row to be stored names it. */
export const workspaceOf = (userId: string): SQL<string> =>
  sql`(select workspace_id from users where id = ${userId}::uuid)`;

/** Somebody who is signed in, an owner in a workspace of their own; not in the database. */
export const aMember = (changes: Partial<Member> = {}): Member => ({
  ...{ _id: uuidv7(), name: 'Ada', email: 'ada@example.com' },
  ...{ workspaceId: uuidv7(), role: 'owner', isInstallationOwner: false },
  ...changes,
});

/** Somebody's own, in one workspace where none is named. */
export const aScope = (contactId: string, workspaceId = 'contoso') => ({ workspaceId, contactId });

/** The own of somebody who signed up. */
export function ownScope({ _id, workspaceId }: Pick<User, '_id' | 'workspaceId'>): ContactScope {
  if (workspaceId === undefined) throw new Error('The server did not say which workspace they are in.');
  return { workspaceId, contactId: _id };
}

/** A row of something that belongs to a workspace. */
type InWorkspace<Row extends { workspaceId: string }> = Omit<Row, 'workspaceId'> & {
  workspaceId: string | SQL<string>;
};

/** A row of `users`, an owner in a workspace of its own. Its hash is of no password: sign in through the API where that matters. */
export function aUser(changes: Partial<typeof users.$inferInsert> = {}): typeof users.$inferInsert {
  const id = uuidv7();
  return {
    id,
    name: 'Ada Lovelace',
    email: `ada-${id}@example.com`,
    passwordHash: 'no password',
    workspaceId: uuidv7(),
    role: 'owner',
    ...changes,
  };
}

/** A row of `agents`, of the workspace of somebody in the database. */
export function anAgent(
  userId: string,
  changes: Partial<InWorkspace<typeof agents.$inferInsert>> = {},
): InWorkspace<typeof agents.$inferInsert> {
  return {
    id: uuidv7(),
    workspaceId: workspaceOf(userId),
    name: 'Mia',
    companyName: 'Contoso Bikes',
    personality: 'Friendly and brief.',
    companyInfo: '# Opening hours\nWe are open from Monday to Friday, 9 am to 6 pm.',
    prompts: ['Always offer a test ride.'],
    ...changes,
  };
}

/** A row of `conversations`, of somebody in the database: with the demo agent, nothing said yet. */
export function aConversation(
  userId: string,
  changes: Partial<InWorkspace<typeof conversations.$inferInsert>> = {},
): InWorkspace<typeof conversations.$inferInsert> {
  return {
    id: uuidv7(),
    workspaceId: workspaceOf(userId),
    contactId: userId,
    channel: 'simulator',
    agentId: null,
    agentName: 'Sigma',
    companyName: 'Northwind',
    title: 'Demo call',
    ...changes,
  };
}

/** A row of `messages`: the customer asks something. */
export function aMessage(
  conversationId: string,
  changes: Partial<typeof messages.$inferInsert> = {},
): typeof messages.$inferInsert {
  return { id: uuidv7(), conversationId, role: 'user', content: 'When are you open?', ...changes };
}

/** A row of `unanswered_questions`, of a message that was declined. */
export function anUnansweredQuestion(
  {
    userId,
    ...asked
  }: Pick<typeof unansweredQuestions.$inferInsert, 'messageId' | 'conversationId' | 'replyId'> & {
    userId: string;
  },
  changes: Partial<typeof unansweredQuestions.$inferInsert> = {},
): InWorkspace<typeof unansweredQuestions.$inferInsert> {
  return {
    ...asked,
    workspaceId: workspaceOf(userId),
    agentId: null,
    agentName: 'Sigma',
    question: 'Do you ship to Norway?',
    askedAt: new Date(),
    ...changes,
  };
}

/** Somebody in a live room, with an open microphone. */
export const aRoomParticipant = (changes: Partial<RoomParticipant> = {}): RoomParticipant => ({
  sid: 'PA_1',
  identity: 'guest',
  name: 'Guest',
  kind: 'standard',
  metadata: '{"role":"customer"}',
  joinedAt: new Date(),
  state: 'active',
  permissions: { canPublish: true, canSubscribe: true, canPublishData: false, hidden: false },
  tracks: [{ sid: 'TR_1', kind: 'audio', muted: false }],
  ...changes,
});

/** An action as its form sends it. */
export const anActionDraft = {
  name: 'Order status',
  when: 'They ask where their order is.',
  inputs: [{ name: 'order', label: 'order number', type: 'digits', required: true }],
  method: 'GET',
  url: 'https://shop.example/orders/{order}',
  confirm: false,
  says: 'It is {answer.status}.',
};

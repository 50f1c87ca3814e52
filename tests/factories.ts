import { v7 as uuidv7 } from 'uuid';
import type { agents, conversations, messages, unansweredQuestions, users } from '#server/database/schema';
import type { RoomParticipant } from '#server/engines/rooms/contract';
import type { Registration } from '#shared/accounts';

/** Whole, valid things; a test names only what it is about. Nothing here is a secret or a real person. */

export const aPassword = 'correct horse battery staple';

/** What somebody types into the registration form; every one has an address of its own. */
export function aRegistration(changes: Partial<Registration> = {}): Registration {
  return { name: 'Ada Lovelace', email: `ada-${uuidv7()}@example.com`, password: aPassword, ...changes };
}

/** A row of `users`. Its hash is of no password: sign in through the API where that matters. */
export function aUser(changes: Partial<typeof users.$inferInsert> = {}): typeof users.$inferInsert {
  const id = uuidv7();
  return {
    id,
    name: 'Ada Lovelace',
    email: `ada-${id}@example.com`,
    passwordHash: 'no password',
    ...changes,
  };
}

/** A row of `agents`. */
export function anAgent(
  userId: string,
  changes: Partial<typeof agents.$inferInsert> = {},
): typeof agents.$inferInsert {
  return {
    id: uuidv7(),
    userId,
    name: 'Mia',
    companyName: 'Contoso Bikes',
    personality: 'Friendly and brief.',
    companyInfo: '# Opening hours\nWe are open from Monday to Friday, 9 am to 6 pm.',
    prompts: ['Always offer a test ride.'],
    ...changes,
  };
}

/** A row of `conversations`: with the demo agent, nothing said yet. */
export function aConversation(
  userId: string,
  changes: Partial<typeof conversations.$inferInsert> = {},
): typeof conversations.$inferInsert {
  return {
    id: uuidv7(),
    userId,
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
  asked: Pick<typeof unansweredQuestions.$inferInsert, 'messageId' | 'conversationId' | 'userId' | 'replyId'>,
  changes: Partial<typeof unansweredQuestions.$inferInsert> = {},
): typeof unansweredQuestions.$inferInsert {
  return {
    ...asked,
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

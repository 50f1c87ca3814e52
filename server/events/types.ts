import { z } from 'zod';

const envelope = { id: z.number(), at: z.date(), workspaceId: z.string() };

/** Something that happened in a conversation: ids alone, never a word of what was said. */
const inConversation = <T extends string, D extends z.ZodRawShape>(type: T, data: D) =>
  z.object({
    ...envelope,
    type: z.literal(type),
    conversationId: z.string(),
    contactId: z.string(),
    data: z.object(data),
  });

/** Something that happened in a workspace beside its conversations. `contactId`: the member who did it, as far as known. */
const inWorkspace = <T extends string, D extends z.ZodRawShape>(type: T, data: D) =>
  z.object({
    ...envelope,
    type: z.literal(type),
    conversationId: z.null(),
    contactId: z.string().nullable(),
    data: z.object(data),
  });

/**
 * Everything that is told, as it is read back. `messageId` is the customer's message, `replyId` the agent's. A turn is taken when
 * its message is stored, and again (`times`) by whoever answers it when that instance has gone; `message.stored` is what was said besides turns, such as among people in a room.
 */
export const eventSchema = z.discriminatedUnion('type', [
  inConversation('conversation.started', {}),
  inConversation('turn.taken', { messageId: z.string(), times: z.number() }),
  inConversation('turn.answered', { messageId: z.string(), replyId: z.string() }),
  inConversation('turn.failed', { messageId: z.string() }),
  inConversation('message.stored', { messageId: z.string(), by: z.enum(['contact', 'agent', 'other']) }),
  inConversation('conversation.urgent', {}),
  inConversation('handoff.asked', { replyId: z.string() }),
  inConversation('handoff.taken', { memberId: z.string() }),
  inConversation('handoff.returned', { memberId: z.string() }),
  inConversation('contact.left', { replyId: z.string() }),
  inConversation('conversation.ended', {}),
  inConversation('conversation.deleted', {}),
  inConversation('unanswered.found', { messageId: z.string(), replyId: z.string() }),
  inWorkspace('agent.changed', { agentId: z.string(), version: z.number() }),
  inWorkspace('agent.deleted', { agentId: z.string() }),
  inWorkspace('document.ready', { documentId: z.string() }),
]);

export type StoredEvent = z.infer<typeof eventSchema>;
export type EventType = StoredEvent['type'];
export type EventOf<T extends EventType> = Extract<StoredEvent, { type: T }>;

/** What happened, before it is stored. */
export type NewEvent = { [T in EventType]: Omit<EventOf<T>, 'id' | 'at'> }[EventType];

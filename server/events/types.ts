import { z } from 'zod';

const envelope = { id: z.number(), at: z.date(), workspaceId: z.string() };

/** An event of a conversation: only ids, never words. */
const inConversation = <T extends string, D extends z.ZodRawShape>(type: T, data: D) =>
  z.object({
    ...envelope,
    type: z.literal(type),
    conversationId: z.string(),
    contactId: z.string(),
    data: z.object(data),
  });

/** An event of a workspace outside its conversations. `contactId`: the member who caused it, if known. */
const inWorkspace = <T extends string, D extends z.ZodRawShape>(type: T, data: D) =>
  z.object({
    ...envelope,
    type: z.literal(type),
    conversationId: z.null(),
    contactId: z.string().nullable(),
    data: z.object(data),
  });

/**
 * All types of events, as they are read. `messageId` is the customer's message, `replyId` the agent's. A turn is taken
 * when its message is stored, and again (`times`) by another instance if the first one is lost; `message.stored` is an
 * utterance outside of turns, such as among people in a room.
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

/** An event before it is stored. */
export type NewEvent = { [T in EventType]: Omit<EventOf<T>, 'id' | 'at'> }[EventType];

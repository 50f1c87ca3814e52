import type {
  Author,
  Conversation,
  KnownContact,
  ListedConversation,
  Message,
  ModelUseSum,
} from '#shared/conversations';
import type { PlayableMessage } from './recordings/service.ts';
import type {
  ContactRecord,
  ConversationRecord,
  ModelUseOfConversation,
  PeopleInConversations,
  SaidMessage,
} from './repository.ts';

/**
 * A conversation as the API presents it; durations in seconds.
 * @param playable audio of messages, by message id
 */
export function presentConversation(
  record: ConversationRecord,
  messages: readonly SaidMessage[],
  playable: ReadonlyMap<string, PlayableMessage>,
  modelUse: ModelUseOfConversation | null = null,
): Conversation {
  return {
    ...presentSummary(record),
    ...(modelUse ? { modelUse: presentModelUse(modelUse) } : {}),
    messages: messages.map((message) => presentMessage(message, playable.get(message.id))),
  };
}

/** The same without messages. */
export function presentSummary(record: ConversationRecord): Omit<ListedConversation, 'messages'> {
  const updated = record.endedAt ?? record.lastMessageAt ?? record.createdAt;
  return {
    _id: record.id,
    title: record.title,
    ...(record.agentId ? { agentId: record.agentId } : {}),
    agentName: record.agentName,
    ...(record.agentVersion === null ? {} : { agentVersion: record.agentVersion }),
    ...(record.roomName ? { roomName: record.roomName } : {}),
    ...(record.outcome ? { outcome: record.outcome } : {}),
    ...(record.contact ? { contact: record.contact } : {}),
    channel: record.channel,
    state: record.state,
    metadata: {
      sentiment: record.sentiment,
      duration: durationSeconds(record),
      created: record.createdAt.toISOString(),
      updated: updated.toISOString(),
      ...(record.endedAt ? { ended: record.endedAt.toISOString() } : {}),
    },
  };
}

/** A contact as the API presents it. */
export const presentContact = (row: ContactRecord): KnownContact => ({
  _id: row.id,
  ...(row.name === null ? {} : { name: row.name }),
  ...(row.email === null ? {} : { email: row.email }),
  ...(row.phone === null ? {} : { phone: row.phone }),
  ...(row.externalId === null ? {} : { externalId: row.externalId }),
  verified: row.verified,
  ...(row.reference === null ? {} : { reference: row.reference }),
  ...(row.note === null ? {} : { note: row.note }),
});

/**
 * The contact of a conversation with the details left in it, and the colleague in charge: for viewers other than the
 * contact.
 */
export function presentPeople(
  { contactId, contact: left, assignedTo }: ConversationRecord,
  people: PeopleInConversations,
): Pick<ListedConversation, 'contact' | 'assignedTo'> {
  const known = people.contacts.get(contactId);
  const name = assignedTo === null ? undefined : people.colleagues.get(assignedTo);
  return {
    ...(known ? { contact: { ...presentContact(known), ...left } } : {}),
    ...(assignedTo !== null && name !== undefined ? { assignedTo: { _id: assignedTo, name } } : {}),
  };
}

function presentMessage(record: SaidMessage, playable: PlayableMessage | undefined): Message {
  return {
    _id: record.id,
    role: record.role,
    content: record.content,
    timestamp: record.createdAt.toISOString(),
    ...(playable ? { audioUrl: playable.audioUrl } : {}),
    ...(playable?.durationMs ? { audioDuration: playable.durationMs / 1000 } : {}),
    ...(record.sentiment ? { sentiment: record.sentiment } : {}),
    ...(record.interrupted ? { interrupted: true } : {}),
    ...(record.citations?.length ? { citations: record.citations } : {}),
    ...(record.outcome ? { outcome: record.outcome } : {}),
    ...(record.saidBy && record.role === 'user' ? { saidBy: record.saidBy } : {}),
    author: presentAuthor(record),
  };
}

/** The author of a message. */
export function presentAuthor({
  role,
  authorId,
  saidBy,
}: Pick<SaidMessage, 'role' | 'authorId' | 'saidBy'>): Author {
  const name = saidBy === null ? {} : { name: saidBy };
  if (role === 'user') return { kind: 'contact', ...name };
  return authorId === null ? { kind: 'agent' } : { kind: 'colleague', ...name };
}

const presentModelUse = ({ input, output, costMicros }: ModelUseOfConversation): ModelUseSum => ({
  input,
  output,
  cost: costMicros === null ? null : costMicros / 1_000_000,
});

/** Whole seconds from the first message to the last. */
function durationSeconds({ firstMessageAt, lastMessageAt }: ConversationRecord): number {
  if (!firstMessageAt || !lastMessageAt) return 0;
  return Math.max(0, Math.round((lastMessageAt.getTime() - firstMessageAt.getTime()) / 1000));
}

import { z } from 'zod';
import { refusal, sentenceOf } from './refusals/refusal.ts';
import { sentiments } from './sentiments.ts';

export { sentiments };
export const sentimentSchema = z.enum(sentiments);
export type Sentiment = z.infer<typeof sentimentSchema>;

export const MAX_MESSAGE_CHARACTERS = 8_000;

const messageRoleSchema = z.enum(['user', 'assistant', 'system']);

/** A sentence that a reply quotes from the agent's knowledge, and the heading or file it comes from. */
export const citationSchema = z.object({
  text: z.string(),
  source: z.string(),
  /** Its document; absent for the company information. */
  documentId: z.string().optional(),
});
export type Citation = z.infer<typeof citationSchema>;

/**
 * Outcomes of a reply: `answered` from the agent's knowledge, the closest passage `offered`, `asked-back` because it
 * was unclear, `declined`, left to a colleague (`handover`), or `social`.
 */
export const outcomes = ['answered', 'offered', 'asked-back', 'declined', 'handover', 'social'] as const;
export const outcomeSchema = z.enum(outcomes);
export type Outcome = z.infer<typeof outcomeSchema>;

/** Contact details as the customer gave them, so that a colleague can get back to them. */
export const contactSchema = z.object({
  name: z.string().optional(),
  phone: z.string().optional(),
  email: z.string().optional(),
  reference: z.string().optional(),
  note: z.string().optional(),
});
export type Contact = z.infer<typeof contactSchema>;

/** A customer, as the business knows them. */
export const knownContactSchema = contactSchema.extend({
  _id: z.string(),
  externalId: z.string().optional(),
  /** The business has confirmed who they are; otherwise only they have said so. */
  verified: z.boolean(),
});
export type KnownContact = z.infer<typeof knownContactSchema>;

/** The channel of a conversation. */
const channels = ['page', 'simulator', 'room', 'door', 'phone', 'rehearsal'] as const;
export type Channel = (typeof channels)[number];

/** `waiting`: for a person; `with`: a person has taken over. */
export const conversationStates = ['open', 'waiting', 'with', 'ended'] as const;
export type ConversationState = (typeof conversationStates)[number];

/** The author of a message: the customer, the agent, or a colleague who has taken over. */
const authorSchema = z.object({
  kind: z.enum(['contact', 'agent', 'colleague']),
  /** Of a colleague; of a contact only if they are not the conversation's own. */
  name: z.string().optional(),
});
export type Author = z.infer<typeof authorSchema>;

export const messageSchema = z.object({
  _id: z.string(),
  role: messageRoleSchema,
  author: authorSchema,
  content: z.string(),
  timestamp: z.iso.datetime(),
  audioUrl: z.string().optional(),
  /** Playing time in seconds, if known. */
  audioDuration: z.number().optional(),
  sentiment: sentimentSchema.optional(),
  interrupted: z.literal(true).optional(),
  citations: z.array(citationSchema).optional(),
  /** On an assistant message that answers another. */
  outcome: outcomeSchema.optional(),
  /** On a user message of a live call: its speaker, if it was not the conversation's owner. */
  saidBy: z.string().optional(),
});
export type Message = z.infer<typeof messageSchema>;

export const conversationMetadataSchema = z.object({
  sentiment: sentimentSchema,
  /** Seconds from the first message to the last. */
  duration: z.number(),
  created: z.iso.datetime(),
  updated: z.iso.datetime(),
  ended: z.iso.datetime().optional(),
});

/** Use of language models. */
export const modelUseSchema = z.object({
  /** Tokens read, and tokens written. */
  input: z.number().int(),
  output: z.number().int(),
  /** US dollars; null: prices unknown. */
  cost: z.number().nullable(),
});
export type ModelUseSum = z.infer<typeof modelUseSchema>;

export const conversationSchema = z.object({
  _id: z.string(),
  title: z.string(),
  agentId: z.string().optional(),
  agentName: z.string().optional(),
  /** The version of the agent at its start. */
  agentVersion: z.number().int().optional(),
  /** The live room of the conversation. */
  roomName: z.string().optional(),
  /**
   * The strongest outcome of its turns: handover, declined, offered, answered, social. `asked-back` is only a step and
   * does not count; absent while there is no other.
   */
  outcome: outcomeSchema.optional(),
  /** Details that the customer left; for the business's colleagues also the known contact. */
  contact: contactSchema
    .extend(knownContactSchema.pick({ _id: true, externalId: true, verified: true }).partial().shape)
    .optional(),
  channel: z.enum(channels).optional(),
  state: z.enum(conversationStates).optional(),
  /** The colleague in charge of it. */
  assignedTo: z.object({ _id: z.string(), name: z.string() }).optional(),
  /** Only when requested by its id; absent if no model was used. */
  modelUse: modelUseSchema.optional(),
  metadata: conversationMetadataSchema,
  messages: z.array(messageSchema),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** An entry of GET /api/conversations: `view=summary` omits the messages. */
export const listedConversationSchema = conversationSchema.partial({ messages: true });
export type ListedConversation = z.infer<typeof listedConversationSchema>;

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;

/** Header of a list with more entries: pass its value as `cursor` to get the next page. */
export const NEXT_CURSOR_HEADER = 'x-next-cursor';

export const MAX_SEARCH_CHARACTERS = 200;

/** Accepts `sentiment=negative&sentiment=urgent` and `sentiment=negative,urgent`. */
function listSchema<const T extends readonly [string, ...string[]]>(known: T) {
  const sentence = sentenceOf(refusal('conversations.one-or-more-of', { names: known.join(', ') }));
  return z.preprocess(
    (value) => [value].flat().flatMap((each) => (typeof each === 'string' ? each.split(',') : [each])),
    z.array(z.string(sentence)).transform((labels, context) => {
      const given = z
        .array(z.enum(known))
        .min(1)
        .safeParse([...new Set(labels)]);
      if (given.success) return given.data;
      context.addIssue({ code: 'custom', message: sentence });
      return z.NEVER;
    }),
  );
}

const momentSchema = z.union(
  [z.iso.datetime({ offset: true }), z.iso.date()],
  sentenceOf('conversations.time'),
);

const noLimit = sentenceOf(refusal('common.limit', { max: MAX_PAGE_SIZE }));

export const conversationListQuerySchema = z.object({
  /** `workspace`: all conversations, for owners and supervisors. */
  of: z.enum(['workspace'], sentenceOf('conversations.of')).optional(),
  agentId: z.string().max(100).optional(),
  contactId: z.string().max(100).optional(),
  channel: z
    .enum(channels, sentenceOf(refusal('conversations.one-of', { names: channels.join(', ') })))
    .optional(),
  state: z
    .enum(
      conversationStates,
      sentenceOf(refusal('conversations.one-of', { names: conversationStates.join(', ') })),
    )
    .optional(),
  /** The colleague in charge of them. */
  assignedTo: z.string().max(100).optional(),
  view: z.enum(['full', 'summary'], sentenceOf('conversations.view')).optional(),
  limit: z.coerce
    .number(noLimit)
    .int(noLimit)
    .min(1, noLimit)
    .max(MAX_PAGE_SIZE, noLimit)
    .default(DEFAULT_PAGE_SIZE),
  cursor: z.string().max(100).optional(),
  /** Words in the title or messages; the last one may be incomplete. Blank: no search. */
  q: z
    .string()
    .max(MAX_SEARCH_CHARACTERS, sentenceOf(refusal('common.search', { max: MAX_SEARCH_CHARACTERS })))
    .optional(),
  sentiment: listSchema(sentiments).optional(),
  /** The outcome of the conversation. */
  outcome: listSchema(outcomes).optional(),
  /** Created at this moment or later; a date means its start in UTC. */
  from: momentSchema.optional(),
  /** Created at this moment or earlier; a date means its end in UTC. */
  to: momentSchema.optional(),
});
export type ConversationListQuery = z.infer<typeof conversationListQuerySchema>;

/** Answer of DELETE /api/conversations/{id}. */
export const conversationDeletedSchema = z.object({ message: z.string() });

export const statsSchema = z.object({
  totalCalls: z.number().int(),
  /** Seconds. */
  averageDuration: z.number(),
  lastActivity: z.iso.datetime().nullable(),
  totalMessages: z.number().int(),
  companiesInteractedWith: z.array(z.string()),
  sentimentBreakdown: z.record(sentimentSchema, z.number().int()),
  /** Conversations by outcome; those without an outcome are in none. */
  outcomeBreakdown: z.record(outcomeSchema, z.number().int()).optional(),
});

import { z } from 'zod';

export const sentiments = ['positive', 'neutral', 'negative', 'urgent'] as const;
export const sentimentSchema = z.enum(sentiments);
export type Sentiment = z.infer<typeof sentimentSchema>;

export const MAX_MESSAGE_CHARACTERS = 8_000;

export const messageRoleSchema = z.enum(['user', 'assistant', 'system']);
export type MessageRole = z.infer<typeof messageRoleSchema>;

/** A sentence of the agent's knowledge that a reply quotes, and the heading or file it stands under. */
export const citationSchema = z.object({ text: z.string(), source: z.string() });
export type Citation = z.infer<typeof citationSchema>;

export const messageSchema = z.object({
  _id: z.string(),
  role: messageRoleSchema,
  content: z.string(),
  timestamp: z.iso.datetime(),
  audioUrl: z.string().optional(),
  sentiment: sentimentSchema.optional(),
  interrupted: z.literal(true).optional(),
  citations: z.array(citationSchema).optional(),
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

export const conversationSchema = z.object({
  _id: z.string(),
  title: z.string(),
  agentId: z.string().optional(),
  agentName: z.string().optional(),
  metadata: conversationMetadataSchema,
  messages: z.array(messageSchema),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** What GET /api/conversations answers one of: `view=summary` leaves the messages out. */
export const listedConversationSchema = conversationSchema.partial({ messages: true });
export type ListedConversation = z.infer<typeof listedConversationSchema>;

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;

/** Header of a list that has more: pass its value as `cursor` to get the next page. */
export const NEXT_CURSOR_HEADER = 'x-next-cursor';

export const conversationListQuerySchema = z.object({
  agentId: z.string().max(100).optional(),
  view: z.enum(['full', 'summary'], 'Use view=full or view=summary.').optional(),
  limit: z.coerce
    .number('Use a limit from 1 to 100.')
    .int('Use a limit from 1 to 100.')
    .min(1, 'Use a limit from 1 to 100.')
    .max(MAX_PAGE_SIZE, 'Use a limit from 1 to 100.')
    .default(DEFAULT_PAGE_SIZE),
  cursor: z.string().max(100).optional(),
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
});
export type Stats = z.infer<typeof statsSchema>;

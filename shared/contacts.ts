import { z } from 'zod';
import {
  conversationListQuerySchema,
  knownContactSchema,
  listedConversationSchema,
  MAX_SEARCH_CHARACTERS,
} from './conversations.ts';
import { refusal, sentenceOf } from './refusals/refusal.ts';

/** Query of GET /api/contacts. */
export const contactListQuerySchema = conversationListQuerySchema.pick({ limit: true, cursor: true }).extend({
  /** Part of a name, an address, a telephone number or an external id. */
  q: z
    .string()
    .trim()
    .max(MAX_SEARCH_CHARACTERS, sentenceOf(refusal('common.search', { max: MAX_SEARCH_CHARACTERS })))
    .optional(),
});
export type ContactListQuery = z.infer<typeof contactListQuerySchema>;

/** Answer of GET /api/contacts/{id}: the newest conversations first, without what was said. */
export const contactWithConversationsSchema = knownContactSchema.extend({
  conversations: z.array(listedConversationSchema),
});
export type ContactWithConversations = z.infer<typeof contactWithConversationsSchema>;

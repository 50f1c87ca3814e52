import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import {
  conversationMetadataSchema,
  conversationSchema,
  messageSchema,
  sentimentSchema,
} from '#shared/conversations';
import { request, requestData } from '#web/lib/api-client';

/**
 * A conversation as it is shown. Laxer than the contract where the specification has a text for what breaks it:
 * a time that is none reads "Invalid time", an unknown sentiment counts as neutral.
 */
const shownConversationSchema = conversationSchema.extend({
  metadata: conversationMetadataSchema.extend({
    sentiment: sentimentSchema.catch('neutral'),
    created: z.string(),
    updated: z.string().optional(),
    ended: z.string().optional(),
  }),
  messages: z
    .array(
      messageSchema.extend({ timestamp: z.string(), sentiment: sentimentSchema.optional().catch(undefined) }),
    )
    .default([]),
});
export type ShownConversation = z.infer<typeof shownConversationSchema>;
export type ShownMessage = ShownConversation['messages'][number];

const PAGE_SIZE = 24;

async function fetchConversations(limit: number, cursor: string | null, signal: AbortSignal) {
  const query = new URLSearchParams({ view: 'summary', limit: String(limit), ...(cursor ? { cursor } : {}) });
  const { data, headers } = await request(`/api/conversations?${query}`, {
    schema: z.array(shownConversationSchema),
    signal,
  });
  return { conversations: data, nextCursor: headers.get('x-next-cursor') };
}

/** All conversations, newest first, a page at a time. */
export function useConversations() {
  return useInfiniteQuery({
    queryKey: ['conversations', 'list'],
    queryFn: ({ pageParam, signal }) => fetchConversations(PAGE_SIZE, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The newest few, for an overview. */
export function useRecentConversations(limit: number) {
  return useQuery({
    queryKey: ['conversations', 'recent', limit],
    queryFn: async ({ signal }) => (await fetchConversations(limit, null, signal)).conversations,
  });
}

/** One conversation with its messages. */
export function useConversation(id: string) {
  return useQuery({
    queryKey: ['conversations', 'one', id],
    queryFn: ({ signal }) =>
      requestData(`/api/conversations/${encodeURIComponent(id)}`, {
        schema: shownConversationSchema,
        signal,
      }),
  });
}

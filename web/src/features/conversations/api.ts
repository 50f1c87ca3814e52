import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { z } from 'zod';
import {
  conversationMetadataSchema,
  conversationSchema,
  messageSchema,
  modelUseSchema,
  outcomeSchema,
  sentimentSchema,
} from '#shared/conversations';
import type { ConversationUpdated } from '#shared/realtime';
import { logProblem } from '#web/lib/log';
import { request, requestData } from '#web/lib/server/api-client';
import { t } from '#web/texts/conversations';
import { type ConversationFilters, filterQuery, noFilters } from './list/filters.ts';

/**
 * A conversation for display. Looser than the contract where the specification has a text for invalid values: an
 * invalid time reads "Invalid time", an unknown sentiment counts as neutral. An unknown outcome is not shown.
 */
const shownConversationSchema = conversationSchema.extend({
  outcome: outcomeSchema.optional().catch(undefined),
  contact: conversationSchema.shape.contact.catch(undefined),
  modelUse: modelUseSchema.optional().catch(undefined),
  metadata: conversationMetadataSchema.extend({
    sentiment: sentimentSchema.catch('neutral'),
    created: z.string(),
    updated: z.string().optional(),
    ended: z.string().optional(),
  }),
  messages: z
    .array(
      messageSchema.extend({
        timestamp: z.string(),
        sentiment: sentimentSchema.optional().catch(undefined),
        outcome: outcomeSchema.optional().catch(undefined),
      }),
    )
    .default([]),
});
export type ShownConversation = z.infer<typeof shownConversationSchema>;
export type ShownMessage = ShownConversation['messages'][number];

/** Whether it is another customer's than the reader's own: then the server names them. */
export const isOfAnother = ({ contact }: ShownConversation): boolean => contact?._id !== undefined;

/** Gives the contact of another person's conversation a name in place of "You". */
function namingContact(conversation: ShownConversation): ShownConversation {
  if (!isOfAnother(conversation)) return conversation;
  const name = conversation.contact?.name ?? t('speakers.contact');
  const messages = conversation.messages.map((message) =>
    message.author.kind === 'contact' ? { ...message, author: { name, ...message.author } } : message,
  );
  return { ...conversation, messages };
}

const PAGE_SIZE = 60;
/** Long enough to read a conversation and return to an unchanged list. */
const LIST_KEPT_MS = 30 * 60 * 1000;
/** A list of more pages than this is not reloaded page by page when it is shown again. */
const REFRESHED_PAGES = 3;

const LISTS = ['conversations', 'list'] as const;

interface Page {
  conversations: ShownConversation[];
  nextCursor: string | null;
}

async function fetchConversations(
  query: Record<string, string>,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page> {
  const search = new URLSearchParams({ view: 'summary', ...query, ...(cursor ? { cursor } : {}) });
  const { data, headers } = await request(`/api/conversations?${search}`, {
    schema: z.array(shownConversationSchema),
    signal,
  });
  return { conversations: data, nextCursor: headers.get('x-next-cursor') };
}

/**
 * Conversations, newest first, a page at a time. While new filters load, the last result stays.
 * @param only those with this agent, or this contact
 */
export function useConversations(
  filters: ConversationFilters = noFilters,
  only: { agentId?: string; contactId?: string } = {},
) {
  const query = {
    limit: String(PAGE_SIZE),
    ...filterQuery(filters, new Date()),
    ...only,
  };
  return useInfiniteQuery({
    queryKey: [...LISTS, only.contactId ?? only.agentId ?? 'all', filters],
    queryFn: ({ pageParam, signal }) => fetchConversations(query, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    gcTime: LIST_KEPT_MS,
    staleTime: ({ state }) => ((state.data?.pages.length ?? 0) > REFRESHED_PAGES ? LIST_KEPT_MS : 5_000),
  });
}

/** A new visit to a list, unlike a return, begins at its first page. */
export function useFreshLists(isReturn: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (isReturn) return;
    queryClient.setQueriesData<InfiniteData<Page>>(
      { queryKey: LISTS },
      (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
    );
  }, [isReturn, queryClient]);
}

/** The newest few, for an overview. */
export function useRecentConversations(limit: number) {
  return useQuery({
    queryKey: ['conversations', 'recent', limit],
    queryFn: async ({ signal }) =>
      (await fetchConversations({ limit: String(limit) }, null, signal)).conversations,
  });
}

/** One conversation with its messages. */
export function useConversation(id: string) {
  return useQuery({
    queryKey: ['conversations', 'one', id],
    queryFn: async ({ signal }) =>
      namingContact(await requestData(pathOf(id), { schema: shownConversationSchema, signal })),
  });
}

/** Deletes a conversation: it leaves the lists at once. A failure is only logged (specification, section 8). */
export function useDeleteConversation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(pathOf(id), { method: 'DELETE' }),
    onSuccess: (_answer, id) => {
      forget(queryClient, id);
      return queryClient.invalidateQueries({ queryKey: ['stats'] });
    },
    onError: (error) => logProblem('The conversation was not deleted.', error),
  });
}

function forget(queryClient: QueryClient, id: string): void {
  changeLists(queryClient, (list) => list.filter((conversation) => conversation._id !== id));
  queryClient.removeQueries({ queryKey: ['conversations', 'one', id] });
}

/** Changes every cached list, short and long. */
function changeLists(
  queryClient: QueryClient,
  change: (list: ShownConversation[]) => ShownConversation[],
): void {
  queryClient.setQueriesData<InfiniteData<Page>>(
    { queryKey: LISTS },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, conversations: change(page.conversations) })),
      },
  );
  queryClient.setQueriesData<ShownConversation[]>(
    { queryKey: ['conversations', 'recent'] },
    (list) => list && change(list),
  );
}

/** Updates from the real-time channel apply at once, wherever the conversation is shown. */
export function useConversationUpdates(): (event: ConversationUpdated) => void {
  const queryClient = useQueryClient();
  return useCallback(
    ({ conversationId, title, sentiment, outcome, contact }) => {
      const updated = (conversation: ShownConversation): ShownConversation => ({
        ...conversation,
        title: title ?? conversation.title,
        ...(outcome ? { outcome } : {}),
        ...(contact ? { contact } : {}),
        metadata: sentiment ? { ...conversation.metadata, sentiment } : conversation.metadata,
      });
      changeLists(queryClient, (list) =>
        list.map((each) => (each._id === conversationId ? updated(each) : each)),
      );
      queryClient.setQueryData<ShownConversation>(
        ['conversations', 'one', conversationId],
        (known) => known && updated(known),
      );
      // It may now belong to other lists, too.
      void queryClient.invalidateQueries({ queryKey: LISTS });
    },
    [queryClient],
  );
}

/** Accounts of millions of messages are read at some thousands a second. */
const REANALYSIS_MS = 60 * 60 * 1000;

const reanalyzedSchema = z.object({ updatedConversations: z.number().int() });

/** Relabels every conversation, then reloads the lists. @returns how many changed */
export function useReanalyzeSentiment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const answer = await requestData('/api/conversations/reanalyze-sentiment', {
        method: 'POST',
        body: {},
        schema: reanalyzedSchema,
        timeoutMs: REANALYSIS_MS,
      });
      return answer.updatedConversations;
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['conversations'] }),
        queryClient.invalidateQueries({ queryKey: ['stats'] }),
      ]),
  });
}

const pathOf = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;

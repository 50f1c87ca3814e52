import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { knownContactSchema } from '#shared/conversations';
import { request, requestData } from '#web/lib/server/api-client';
import { toast } from '#web/ui/layers/toast';

export type ShownContact = z.infer<typeof knownContactSchema>;

const CONTACTS = ['contacts'] as const;
const PAGE_SIZE = 50;
const pathOf = (id: string) => `/api/contacts/${encodeURIComponent(id)}`;

async function fetchContacts(query: Record<string, string>, signal: AbortSignal) {
  const { data, headers } = await request(`/api/contacts?${new URLSearchParams(query)}`, {
    schema: z.array(knownContactSchema),
    signal,
  });
  return { contacts: data, nextCursor: headers.get('x-next-cursor') };
}

/** The workspace's contacts, newest first, a page at a time. @param search part of a name, an address or a number */
export function useContacts(search: string) {
  const q = search.trim();
  return useInfiniteQuery({
    queryKey: [...CONTACTS, 'list', q],
    queryFn: ({ pageParam, signal }) =>
      fetchContacts(
        { limit: String(PAGE_SIZE), ...(q ? { q } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (before) => before,
  });
}

/**
 * Whether the workspace has contacts besides the reader; false until known.
 * @param isAsked whether the reader may see others at all
 */
export function useServesOthers(isAsked: boolean): boolean {
  const { data } = useQuery({
    queryKey: [...CONTACTS, 'others'],
    queryFn: async ({ signal }) => (await fetchContacts({ limit: '2' }, signal)).contacts.length > 1,
    enabled: isAsked,
    retry: false,
  });
  return data ?? false;
}

/** One contact. */
export function useContact(id: string) {
  return useQuery({
    queryKey: [...CONTACTS, 'one', id],
    queryFn: ({ signal }) => requestData(pathOf(id), { schema: knownContactSchema, signal }),
  });
}

/** Deletes a contact and everything they said. The server gives the reason of a refusal. */
export function useDeleteContact() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(pathOf(id), { method: 'DELETE', timeoutMs: 120_000 }),
    onSuccess: (_answer, id) => {
      queryClient.removeQueries({ queryKey: [...CONTACTS, 'one', id] });
      return Promise.all(
        [CONTACTS, ['conversations'], ['stats']].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    },
    onError: (error) => toast.error(error.message),
  });
}

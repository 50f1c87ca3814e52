import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { agentVersionSchema, wholeVersionSchema } from '#shared/agent-versions';
import { NEXT_CURSOR_HEADER } from '#shared/conversations';
import { request, requestData } from '#web/lib/server/api-client';

const PAGE_SIZE = 10;

const pathOf = (agentId: string, rest = '') => `/api/agents/${encodeURIComponent(agentId)}/versions${rest}`;
const keyOf = (agentId: string) => ['agents', 'versions', agentId] as const;

/** The versions of an agent, newest first, a page at a time. */
export function useVersions(agentId: string) {
  return useInfiniteQuery({
    queryKey: keyOf(agentId),
    queryFn: async ({ pageParam, signal }) => {
      const search = new URLSearchParams({
        limit: String(PAGE_SIZE),
        ...(pageParam && { cursor: pageParam }),
      });
      const { data, headers } = await request(pathOf(agentId, `?${search}`), {
        schema: z.array(agentVersionSchema),
        signal,
      });
      return { versions: data, nextCursor: headers.get(NEXT_CURSOR_HEADER) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One version with its content. Changes of documents may still join the newest one. */
export function useVersion(agentId: string, version: number) {
  return useQuery({
    queryKey: [...keyOf(agentId), version],
    queryFn: ({ signal }) =>
      requestData(pathOf(agentId, `/${version}`), { schema: wholeVersionSchema, signal }),
  });
}

/** Makes an earlier version the newest one. */
export function useRestore(agentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (version: number) => request(pathOf(agentId, `/${version}/restore`), { method: 'POST' }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['agents'] }),
  });
}

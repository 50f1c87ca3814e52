import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { type ListedSession, listedSessionSchema, type PasswordChange } from '#shared/accounts';
import { auditEntrySchema } from '#shared/audit';
import { offerFile } from '#web/lib/offer-file';
import { request, requestData, requestFile } from '#web/lib/server/api-client';
import { endSession } from '#web/lib/server/session';
import { t } from '#web/texts/accounts';
import { toast } from '#web/ui/layers/toast';

const SESSIONS = ['sessions'] as const;
const PAGE_SIZE = 30;

/** The user's sessions, last used first. */
export function useSessions() {
  return useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) =>
      requestData('/api/auth/sessions', { schema: z.array(listedSessionSchema), signal }),
  });
}

/** Ends a session with the password. @throws ApiError */
export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, password }: { id: string; password: string }) =>
      request(`/api/auth/sessions/${encodeURIComponent(id)}`, { method: 'DELETE', body: { password } }),
    onSuccess: (_answer, { id }) =>
      queryClient.setQueryData<ListedSession[]>(SESSIONS, (sessions) =>
        sessions?.filter((session) => session._id !== id),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: SESSIONS }),
  });
}

/** Ends every session, including this one, with the password. @throws ApiError */
export function useSignOutEverywhere() {
  return useMutation({
    mutationFn: (password: string) => request('/api/auth/sessions', { method: 'DELETE', body: { password } }),
    onSuccess: () => endSession('signed-out'),
  });
}

/** Changes the password; every other session ends. @throws ApiError */
export function useChangePassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: PasswordChange) => request('/api/auth/password', { method: 'PUT', body: change }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: SESSIONS }),
  });
}

/** Downloads an archive of the user's data. */
export function useExport() {
  return useMutation({
    mutationFn: () => requestFile('/api/auth/export'),
    onSuccess: (archive) => offerFile(archive, `sigma-${new Date().toISOString().slice(0, 10)}.tar`),
    onError: (error) => toast.error(error.message),
  });
}

/** Deletes the account and everything in it. @throws ApiError */
export function useDeleteAccount() {
  return useMutation({
    mutationFn: (password: string) =>
      request('/api/auth/me', { method: 'DELETE', body: { password }, timeoutMs: 120_000 }),
    onSuccess: () => {
      endSession('signed-out');
      toast.success(t('deletion.done'));
    },
  });
}

/** The security log, newest first, page by page. */
export function useSecurityLog() {
  return useInfiniteQuery({
    queryKey: ['security-log'],
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        limit: String(PAGE_SIZE),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      });
      const { data, headers } = await request(`/api/audit?${query}`, {
        schema: z.array(auditEntrySchema),
        signal,
      });
      return { entries: data, nextCursor: headers.get('x-next-cursor') };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    gcTime: 0,
  });
}

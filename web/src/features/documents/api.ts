import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import {
  type DocumentChange,
  documentSchema,
  documentWithPassagesSchema,
  FILE_PART,
  type KnowledgeDocument,
  type NewDocument,
} from '#shared/documents';
import { request, requestData } from '#web/lib/server/api-client';

/** While something is being read, how often it is asked whether it is. */
const POLL_MS = 1_500;
/** A large file over a slow line. */
const UPLOAD_MS = 10 * 60_000;

const pathOf = (agentId: string, id?: string) =>
  `/api/agents/${encodeURIComponent(agentId)}/documents${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
const keyOf = (agentId: string) => ['documents', 'of', agentId] as const;

/** What an agent reads, newest first; asked again while something is being read. */
export function useDocuments(agentId: string) {
  return useQuery({
    queryKey: keyOf(agentId),
    queryFn: ({ signal }) => requestData(pathOf(agentId), { schema: z.array(documentSchema), signal }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'indexing') ? POLL_MS : false,
  });
}

/** All documents of the account. */
export function useAllDocuments(enabled: boolean) {
  return useQuery({
    queryKey: ['documents', 'all'],
    queryFn: ({ signal }) => requestData('/api/documents', { schema: z.array(documentSchema), signal }),
    enabled,
    staleTime: 0,
  });
}

/** One document, with its passages. */
export function useDocument(id: string) {
  return useQuery({
    queryKey: ['documents', 'one', id],
    queryFn: ({ signal }) =>
      requestData(`/api/documents/${encodeURIComponent(id)}`, { schema: documentWithPassagesSchema, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'indexing' ? POLL_MS : false),
  });
}

/** @returns the document; one that could not be read says so itself. @throws ApiError */
export function sendFile(agentId: string, file: File, replaces?: string): Promise<KnowledgeDocument> {
  const body = new FormData();
  body.append(FILE_PART, file, file.name);
  return requestData(pathOf(agentId, replaces), {
    method: replaces === undefined ? 'POST' : 'PUT',
    body,
    schema: documentSchema,
    timeoutMs: UPLOAD_MS,
  });
}

/** Whatever changes an agent's documents, and shows it. */
function useChange<T>(change: (what: T) => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['documents'] }),
  });
}

export const useAddDocument = (agentId: string) =>
  useChange((body: NewDocument) => request(pathOf(agentId), { method: 'POST', body }));

export const useRemoveDocument = (agentId: string) =>
  useChange((id: string) => request(pathOf(agentId, id), { method: 'DELETE' }));

export const useReadAgain = (agentId: string) =>
  useChange((id: string) => request(`${pathOf(agentId, id)}/read-again`, { method: 'POST' }));

export const useChangeDocument = (agentId: string) =>
  useChange(({ id, change }: { id: string; change: DocumentChange }) =>
    request(pathOf(agentId, id), { method: 'PATCH', body: change }),
  );

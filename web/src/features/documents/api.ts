import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import {
  type DocumentChange,
  documentPreviewSchema,
  documentSchema,
  documentWithPassagesSchema,
  FILE_PART,
  FILE_TOO_LARGE,
  type KnowledgeDocument,
  MAX_FILE_BYTES,
  type NewDocument,
} from '#shared/documents';
import { sentenceOf } from '#shared/refusals/refusal';
import { request, requestData } from '#web/lib/server/api-client';
import type { ReadChange } from '#web/lib/tried-change';
import { t } from '#web/texts/documents';

/** Interval of polling while documents are being read. */
const POLL_MS = 1_500;
/** A sitemap with all its pages, or a large file. */
const PREVIEW_MS = 3 * 60_000;
/** A large file over a slow line. */
const UPLOAD_MS = 10 * 60_000;

const pathOf = (agentId: string, id?: string) =>
  `/api/agents/${encodeURIComponent(agentId)}/documents${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
const keyOf = (agentId: string) => ['documents', 'of', agentId] as const;

/** The documents of an agent, newest first; polled while some are being read. */
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

function formOf(file: File): FormData {
  const form = new FormData();
  form.append(FILE_PART, file, file.name);
  return form;
}

/**
 * Reads a file or an address without adding it. @returns the input of an effect request, and the content @throws
 * ApiError, the signal's reason
 */
export async function previewed(
  agentId: string,
  what: File | { url: string },
  replaces: string | null,
  signal: AbortSignal,
): Promise<ReadChange> {
  if (what instanceof File && what.size > MAX_FILE_BYTES) throw new Error(sentenceOf(FILE_TOO_LARGE));
  const { title, parts, passages, characters, problem } = await requestData(`${pathOf(agentId)}/preview`, {
    method: 'POST',
    body: what instanceof File ? formOf(what) : what,
    schema: documentPreviewSchema,
    signal,
    timeoutMs: PREVIEW_MS,
  });
  const found = t('found', { characters, passages });
  return {
    request: { documents: { add: [{ title, parts }], ...(replaces === null ? {} : { remove: [replaces] }) } },
    found: problem === undefined ? found : `${found} ${problem}`,
  };
}

/** @returns the document; an unreadable one carries the reason. @throws ApiError */
export function sendFile(agentId: string, file: File, replaces?: string): Promise<KnowledgeDocument> {
  return requestData(pathOf(agentId, replaces), {
    method: replaces === undefined ? 'POST' : 'PUT',
    body: formOf(file),
    schema: documentSchema,
    timeoutMs: UPLOAD_MS,
  });
}

/** Reloads documents and the history of the agents that read them. */
export const showChanged = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['documents'] }),
    queryClient.invalidateQueries({ queryKey: ['agents', 'versions'] }),
  ]);

/** Changes an agent's documents, and reloads them. */
function useChange<T>(change: (what: T) => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => showChanged(queryClient),
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

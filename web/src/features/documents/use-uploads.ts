import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { FILE_TOO_LARGE, MAX_FILE_BYTES } from '#shared/documents';
import { sentenceOf } from '#shared/refusals/refusal';
import { randomId } from '#web/lib/id';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/documents';
import { sendFile, showChanged } from './api.ts';

/** A file being uploaded, or one that failed. */
export interface Upload {
  id: string;
  name: string;
  /** Why it failed; null while uploading. */
  problem: string | null;
}

/** Files sent at once: the server reads them one after another. */
const AT_ONCE = 2;
/** Wait before retrying a file that the server was too busy for. */
const BUSY_MS = 1_500;
const ATTEMPTS = 8;

/** Sends files one after another; uploaded ones leave the list. */
export function useUploads(agentId: string) {
  const queryClient = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const waiting = useRef<{ id: string; file: File; replaces: string | undefined }[]>([]);
  const running = useRef(0);

  const settle = useCallback((id: string, problem: string | null) => {
    setUploads((all) =>
      problem === null
        ? all.filter((each) => each.id !== id)
        : all.map((each) => (each.id === id ? { ...each, problem } : each)),
    );
  }, []);

  const work = useCallback(async () => {
    running.current += 1;
    for (let next = waiting.current.shift(); next; next = waiting.current.shift()) {
      settle(next.id, await problemWith(agentId, next.file, next.replaces));
      void showChanged(queryClient);
    }
    running.current -= 1;
  }, [agentId, queryClient, settle]);

  const send = useCallback(
    (files: readonly File[], replaces?: string) => {
      const added = files.map((file) => ({ id: randomId(), file, replaces }));
      setUploads((all) => [...all, ...added.map(({ id, file }) => ({ id, name: file.name, problem: null }))]);
      waiting.current.push(...added);
      for (let n = running.current; n < Math.min(AT_ONCE, running.current + added.length); n++) void work();
    },
    [work],
  );

  return { uploads, send, dismiss: (id: string) => settle(id, null) };
}

async function problemWith(agentId: string, file: File, replaces?: string): Promise<string | null> {
  if (file.size > MAX_FILE_BYTES) return sentenceOf(FILE_TOO_LARGE);
  for (let attempt = 1; ; attempt++) {
    try {
      await sendFile(agentId, file, replaces);
      return null;
    } catch (error) {
      const isBusy = error instanceof ApiError && error.status === 429 && attempt < ATTEMPTS;
      if (!isBusy) return error instanceof Error ? error.message : t('uploads.failed');
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
    }
  }
}

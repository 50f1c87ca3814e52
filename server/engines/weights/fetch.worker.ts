import { EngineError } from '#server/lib/engine-error';
import { serveWorkerThread } from '#server/threads/worker-thread';
import { sourceOf } from './bundles.ts';
import type { Bundle } from './contract.ts';
import { fetchBundle } from './fetch-bundle.ts';
import { passesSoon, reasonOf } from './fetch-failure.ts';
import type { NpmSettings } from './npm-client.ts';

export interface FetchJob {
  bundle: Bundle;
  folder: string;
  workDir: string;
  npm?: NpmSettings;
}

/** Methods of the fetching thread: hashing and unpacking 100 MB would stall the main thread. */
export type FetchMethods = {
  fetch: (job: FetchJob, signal: AbortSignal) => Promise<void>;
};

const PROGRESS_MS = 100;

const methods: FetchMethods = {
  async fetch(job, signal) {
    let toldAt = 0;
    try {
      await fetchBundle(job.bundle, job.folder, job.workDir, {
        signal,
        ...(job.npm ? { npm: job.npm } : {}),
        onProgress: (progress) => {
          const now = performance.now();
          if (progress.phase === 'downloading' && now - toldAt < PROGRESS_MS) return;
          toldAt = now;
          tell(progress);
        },
      });
    } catch (error) {
      const from = sourceOf(job.bundle.packages[0]);
      throw new EngineError(reasonOf(error, from), { retryable: passesSoon(error), cause: error });
    }
  },
};

const tell = serveWorkerThread(methods);

import { TooLarge, Unreadable } from '#server/engines/unreadable';
import { serveWorkerThread } from '#server/threads/worker-thread';
import type { GivenFile, ReadFile, Sitemap } from './contract.ts';
import { readFile } from './read-file.ts';
import { readSitemap } from './read-sitemap.ts';

/**
 * A process above this many megabytes after a file has not released the file's memory. Node.js and all
 * readers take 130.
 */
const MUCH_MB = 200;

/** The result, or one sentence that says why the file was not read. */
export type Answer<T> = ({ read: T } | { problem: string }) & {
  /** The file took so much memory that the process should not be reused. */
  tookMuch: boolean;
};

async function answered<T>(read: () => T | Promise<T>): Promise<Answer<T>> {
  const tookMuch = () => process.memoryUsage.rss() > MUCH_MB * 1_000_000;
  try {
    return { read: await read(), tookMuch: tookMuch() };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { problem: error.message, tookMuch: error instanceof TooLarge || tookMuch() };
  }
}

const methods = {
  read: (file: GivenFile): Promise<Answer<ReadFile>> => answered(() => readFile(file)),
  readSitemap: ({ file, most }: { file: GivenFile; most: number }): Promise<Answer<Sitemap>> =>
    answered(() => readSitemap(file.bytes, file.name, most)),
};

export type DocumentsMethods = typeof methods;

serveWorkerThread(methods);

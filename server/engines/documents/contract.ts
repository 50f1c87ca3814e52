import type { QueuedWork } from '#server/lib/fair-turns';
import type { FileKind } from '#shared/documents';

/** A file as somebody sent it, or as a page was fetched. */
export interface GivenFile {
  bytes: Uint8Array;
  /** Its name or its address: tells what the bytes do not. */
  name: string;
  /** As its server called it, with its charset. */
  mediaType?: string;
}

/** What a reader of passages reads: Markdown, HTML or plain text. */
export interface ReadFile {
  kind: FileKind;
  /** As the file itself says; null where it does not. */
  title: string | null;
  /** Holds something to read. */
  text: string;
}

/** What a sitemap lists. */
export interface Sitemap {
  /** Of its own host, each once. */
  addresses: string[];
  /** It lists more of them than were asked for. */
  isCut: boolean;
}

/**
 * Reads files of any kind, broken and hostile ones included, apart from everything else that runs. Accounts take turns.
 * Both methods throw an EngineError with one sentence for whoever sent the file, `retryable` when the same file may be read
 * later, and the signal's reason.
 */
export interface DocumentsEngine {
  /** @param work whose it is; an object for this one file */
  read(file: GivenFile, work: QueuedWork, signal?: AbortSignal): Promise<ReadFile>;
  /** @param file a sitemap, named by its address @param most addresses that are wanted of it */
  readSitemap(file: GivenFile, most: number, work: QueuedWork, signal?: AbortSignal): Promise<Sitemap>;
  close(): Promise<void>;
}

import type { QueuedWork } from '#server/lib/fair-turns';
import type { FileKind } from '#shared/documents';

/** A file that was uploaded, or a page that was fetched. */
export interface GivenFile {
  bytes: Uint8Array;
  /** Its name or address: used where the bytes do not say what it is. */
  name: string;
  /** Media type as its server sent it, with the charset. */
  mediaType?: string;
}

/** Text for the reader of passages: Markdown, HTML or plain text. */
export interface ReadFile {
  kind: FileKind;
  /** The title in the file itself; null if it has none. */
  title: string | null;
  /** Never empty. */
  text: string;
}

export interface Sitemap {
  /** Addresses on its own host, without repeats. */
  addresses: string[];
  /** The sitemap lists more addresses than were asked for. */
  isCut: boolean;
}

/**
 * Reads files of any kind, broken and hostile ones included, isolated from everything else. Accounts take
 * turns. Both methods throw an EngineError with one sentence for the person who sent the file (`retryable`
 * when the same file may be readable later), or the signal's reason.
 */
export interface DocumentsEngine {
  /** @param work the account; a new object for each file */
  read(file: GivenFile, work: QueuedWork, signal?: AbortSignal): Promise<ReadFile>;
  /** @param file a sitemap, named by its address @param most addresses to return */
  readSitemap(file: GivenFile, most: number, work: QueuedWork, signal?: AbortSignal): Promise<Sitemap>;
  close(): Promise<void>;
}

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

/** Reads files of any kind, broken and hostile ones included, apart from everything else that runs. */
export interface DocumentsEngine {
  /**
   * @throws EngineError with one sentence for whoever sent the file; `retryable` when the same file may be read later; the
   *   signal's reason
   */
  read(file: GivenFile, signal?: AbortSignal): Promise<ReadFile>;
  close(): Promise<void>;
}

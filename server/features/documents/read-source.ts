import { basename } from 'node:path';
import type { DocumentsEngine } from '#server/engines/documents/contract';
import { EngineError } from '#server/lib/engine-error';
import { AppError, inItsWords } from '#server/lib/errors';
import type { QueuedWork } from '#server/lib/fair-turns';
import type { DocumentPreview } from '#shared/documents';
import { storable } from '#shared/storable';
import { readAddress, type Surroundings } from './read-address.ts';
import type { DocumentText } from './repository.ts';

export interface UploadedFile {
  bytes: Uint8Array;
  name: string;
  mediaType?: string;
  /** The network address of the sender. */
  from: string;
}

type Kind = DocumentPreview['kind'];

/** The content of a file; the reason if nothing could be read. */
type ReadFile = { title: string; kind: Kind; source: string } & (
  | { problem?: never; parts: DocumentText['parts'] }
  | { problem: string; parts: [] }
);

/** @throws EngineError if it may be readable later; the signal's reason */
export async function readFile(
  documents: DocumentsEngine,
  file: UploadedFile,
  work: QueuedWork,
  signal: AbortSignal,
): Promise<ReadFile> {
  const source = nameOf(file.name);
  try {
    const { kind, title, text } = await documents.read(file, work, signal);
    return { title: titleOf(file.name, title), kind, source, parts: [{ title: null, text: storable(text) }] };
  } catch (error) {
    if (!(error instanceof EngineError) || error.retryable) throw error;
    return { title: titleOf(file.name, null), kind: 'text', source, parts: [], problem: error.message };
  }
}

/**
 * Reads a web page, or all pages of a sitemap.
 * @throws EngineError if it may be available later, AppError invalid-input with the sentence, or what a scan throws;
 *   the signal's reason
 */
export async function readPage(
  around: Surroundings,
  address: string,
  signal: AbortSignal,
): Promise<Pick<DocumentPreview, 'title' | 'kind' | 'parts'> & { problem: string | null }> {
  try {
    const { title, parts, problem } = await readAddress(around, address, signal);
    return {
      title: storable(title?.trim() || withoutScheme(address)).slice(0, 200),
      kind: 'page',
      parts: parts.map((part) => ({ ...part, text: storable(part.text) })),
      problem,
    };
  } catch (error) {
    if (!(error instanceof EngineError) || error.retryable) throw error;
    throw new AppError('invalid-input', 400, inItsWords(error));
  }
}

/** An address from a person's typing. */
export const addressOf = (url: string): string => (/^[a-z][a-z\d+.-]*:/i.test(url) ? url : `https://${url}`);

/** The title of a page until it is read. */
export const withoutScheme = (address: string): string =>
  address
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .slice(0, 200);

const nameOf = (name: string) => storable(basename(name.replaceAll('\\', '/'))).slice(0, 200) || 'document';

/** The title in the file, else its name without the extension. */
const titleOf = (name: string, title: string | null) =>
  storable(
    title?.trim() ||
      nameOf(name)
        .replace(/\.\w{1,8}$/, '')
        .trim() ||
      'Document',
  ).slice(0, 200);

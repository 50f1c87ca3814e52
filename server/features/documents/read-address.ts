import type { DocumentsEngine } from '#server/engines/documents/contract';
import type { Outside, OutsideAnswer } from '#server/engines/outside/contract';
import { EngineError } from '#server/lib/engine-error';
import { AppError } from '#server/lib/errors';
import type { QueuedWork } from '#server/lib/fair-turns';
import { timeLimit } from '#server/lib/wait';
import { MAX_DOCUMENT_CHARACTERS, MAX_FILE_BYTES } from '#shared/documents';

/** Time for one page; a sitemap has its own limit for all its pages. */
const PAGE_MS = 20_000;
const ALL_MS = 120_000;
const MAX_PAGES = 200;
/** A sitemap may list sitemaps, which list pages. */
const MAX_SITEMAPS = 10;
const MAX_SITEMAP_BYTES = 5_000_000;
const AT_ONCE = 4;

/** The content of an address. */
interface ReadAddress {
  title: string | null;
  parts: { title: string | null; text: string }[];
  /** What could not be read, in one sentence. */
  problem: string | null;
}

export interface Surroundings {
  outside: Outside;
  documents: DocumentsEngine;
  /** The account that it is read for: accounts take turns with their files. */
  work: QueuedWork;
  /** Scans every fetched file before any part of it is read. @throws AppError when the file must not be read */
  scan(file: Uint8Array, signal: AbortSignal): Promise<void>;
}

/**
 * Reads a page, a file or all pages of a sitemap. A sitemap's pages on other hosts are skipped.
 * @throws EngineError with one sentence when nothing of it can be read; AppError of a scan; the signal's reason
 */
export async function readAddress(
  around: Surroundings,
  url: string,
  signal: AbortSignal,
): Promise<ReadAddress> {
  const clock = timeLimit(ALL_MS);
  const ends = AbortSignal.any([signal, clock]);
  try {
    const first = await fetchFile(around, url, MAX_FILE_BYTES, ends);
    const kind = sitemapKind(first);
    if (kind) return await readSitemap(around, first, kind, ends);
    const { title, text } = await around.documents.read(first, { ...around.work }, ends);
    return { title, parts: [{ title: null, text }], problem: null };
  } catch (error) {
    signal.throwIfAborted();
    if (clock.aborted)
      throw new EngineError('Reading this address took longer than two minutes.', { retryable: true });
    throw error;
  }
}

interface Fetched {
  bytes: Uint8Array;
  /** The address after redirects. */
  name: string;
  mediaType: string;
}

async function fetchFile(
  { outside, scan, work }: Surroundings,
  url: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Fetched> {
  const answer = await outside.fetch(
    { account: work.account, url, timeoutMs: PAGE_MS, maxBytes, headers: { accept: ACCEPTED } },
    signal,
  );
  const mediaType = answer.response.headers.get('content-type') ?? '';
  const refusal = refused(answer, mediaType);
  if (refusal) {
    await answer.response.body?.cancel().catch(() => {});
    throw refusal;
  }
  const bytes = new Uint8Array(await answer.response.arrayBuffer());
  await scan(bytes, signal);
  return { bytes, name: answer.url, mediaType };
}

const ACCEPTED =
  'text/html, application/xhtml+xml, application/xml, text/*;q=0.9, application/pdf;q=0.9, */*;q=0.5';
const READABLE =
  /^(?:text\/(?:html|plain|markdown|csv|xml|tab-separated-values)|application\/(?:xhtml\+xml|xml|json|pdf|vnd\.openxmlformats-officedocument\.wordprocessingml\.document|octet-stream))\b/i;

function refused({ url, response }: OutsideAnswer, mediaType: string): EngineError | null {
  const { host } = new URL(url);
  const { status } = response;
  if (status === 401 || status === 403)
    return new EngineError(`${host} shows this page to people who sign in only.`, { retryable: false });
  if (status === 404 || status === 410)
    return new EngineError(`${host} has no such page.`, { retryable: false });
  if (status < 200 || status > 299)
    return new EngineError(`${host} answered with an error (${status}).`, { retryable: true });
  return mediaType && !READABLE.test(mediaType)
    ? new EngineError(`${host} sends no page or document that can be read there.`, { retryable: false })
    : null;
}

/** The entries of a file if it is a sitemap (sitemaps.org), which its beginning shows. */
function sitemapKind({ bytes }: Fetched): 'pages' | 'sitemaps' | null {
  const beginning = Buffer.from(bytes.subarray(0, 2_000)).toString('utf8');
  const root = /<(?:\w+:)?(urlset|sitemapindex)[\s>]/.exec(beginning)?.[1];
  return root === 'urlset' ? 'pages' : root === 'sitemapindex' ? 'sitemaps' : null;
}

/** @throws EngineError for a sitemap that is too large, or unreadable */
function listed({ documents, work }: Surroundings, sitemap: Fetched, most: number, signal: AbortSignal) {
  if (sitemap.bytes.byteLength > MAX_SITEMAP_BYTES)
    throw new EngineError('A sitemap of more than 5 MB is not read. Add the addresses of its pages.', {
      retryable: false,
    });
  return documents.readSitemap(sitemap, most, { ...work }, signal);
}

/** Pages to read, and why others are left out, as parts of a sentence. */
interface Listed {
  pages: string[];
  leftOut: string[];
}

const TOO_MANY_PAGES = `this sitemap lists more than the ${MAX_PAGES} pages that are read`;

async function pagesOf(
  around: Surroundings,
  first: Fetched,
  kind: 'pages' | 'sitemaps',
  signal: AbortSignal,
): Promise<Listed> {
  if (kind === 'pages') {
    const { addresses, isCut } = await listed(around, first, MAX_PAGES, signal);
    return { pages: addresses, leftOut: isCut ? [TOO_MANY_PAGES] : [] };
  }
  const sitemaps = await listed(around, first, MAX_SITEMAPS, signal);
  const pages = new Set<string>();
  let unread = 0;
  for (const address of sitemaps.addresses) {
    const sitemap = await readListed(around, address, signal);
    if (!sitemap) unread++;
    for (const page of sitemap?.addresses ?? []) {
      if (pages.size === MAX_PAGES && !pages.has(page))
        return { pages: [...pages], leftOut: [TOO_MANY_PAGES] };
      pages.add(page);
    }
    if (sitemap?.isCut) return { pages: [...pages], leftOut: [TOO_MANY_PAGES] };
  }
  const leftOut: string[] = [];
  if (unread > 0) leftOut.push(`${unread} of its sitemaps could not be read`);
  if (sitemaps.isCut) leftOut.push(`only the first ${MAX_SITEMAPS} of its sitemaps were looked at`);
  return { pages: [...pages], leftOut };
}

/** @returns null for a file that is no sitemap of pages, or is unreadable */
async function readListed(around: Surroundings, address: string, signal: AbortSignal) {
  try {
    const sitemap = await fetchFile(around, address, MAX_SITEMAP_BYTES, signal);
    return sitemapKind(sitemap) === 'pages' ? await listed(around, sitemap, MAX_PAGES, signal) : null;
  } catch (error) {
    signal.throwIfAborted();
    if (cannotBeScanned(error)) throw error;
    return null;
  }
}

async function readSitemap(
  around: Surroundings,
  first: Fetched,
  kind: 'pages' | 'sitemaps',
  signal: AbortSignal,
): Promise<ReadAddress> {
  const { pages, leftOut } = await pagesOf(around, first, kind, signal);
  const read = new Map<string, { title: string | null; text: string }>();
  let problem: unknown;
  let characters = 0;
  const waiting = [...pages];
  const work = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      signal.throwIfAborted();
      try {
        const page = await fetchFile(around, url, MAX_FILE_BYTES, signal);
        const { title, text } = await around.documents.read(page, { ...around.work }, signal);
        characters += text.length;
        if (characters > MAX_DOCUMENT_CHARACTERS) waiting.length = 0;
        else read.set(url, { title: title ?? new URL(url).pathname, text });
      } catch (error) {
        signal.throwIfAborted();
        if (cannotBeScanned(error)) {
          waiting.length = 0;
          throw error;
        }
        problem ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const parts = pages.flatMap((url) => read.get(url) ?? []);
  if (parts.length === 0) {
    if (problem instanceof EngineError || problem instanceof AppError) throw problem;
    const none = sentence(leftOut) ?? 'This sitemap lists no page of its own host.';
    throw new EngineError(none, { retryable: false });
  }
  const missed = pages.length - parts.length;
  const unread = missed > 0 ? [`${missed} of ${pages.length} pages could not be read`] : [];
  return {
    title: new URL(first.name).host,
    parts,
    problem: sentence([...unread, ...leftOut]),
  };
}

function sentence(parts: readonly string[]): string | null {
  const said = parts.join(', and ');
  return said ? `${said.charAt(0).toUpperCase()}${said.slice(1)}.` : null;
}

/** Stops the reading: the remaining pages cannot be scanned either, and half of a site must not pass as all of it. */
const cannotBeScanned = (error: unknown) => error instanceof AppError && error.retryable;

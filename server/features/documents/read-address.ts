import type { DocumentsEngine } from '#server/engines/documents/contract';
import { EngineError } from '#server/engines/engine-error';
import type { Outside, OutsideAnswer } from '#server/engines/outside/contract';
import { AppError } from '#server/errors';
import { MAX_DOCUMENT_CHARACTERS, MAX_FILE_BYTES } from '#shared/documents';

/** One page; a sitemap with all its pages. */
const PAGE_MS = 20_000;
const ALL_MS = 120_000;
const MAX_PAGES = 200;
/** A sitemap may list sitemaps, which list pages. */
const MAX_DEPTH = 2;
const AT_ONCE = 4;

/** What an address gave. */
interface ReadAddress {
  title: string | null;
  parts: { title: string | null; text: string }[];
  /** What of it could not be read, in one sentence. */
  problem: string | null;
}

export interface Surroundings {
  outside: Outside;
  documents: DocumentsEngine;
  /** Every file that was fetched is scanned before anything of it is read. @throws AppError when it must not be */
  scan(file: Uint8Array, signal: AbortSignal): Promise<void>;
}

/**
 * Reads a page, a file or all pages of a sitemap. Of a sitemap only pages of its own host are read.
 * @throws EngineError with one sentence when nothing of it can be read; AppError of a scan; the signal's reason
 */
export async function readAddress(
  around: Surroundings,
  url: string,
  signal: AbortSignal,
): Promise<ReadAddress> {
  const clock = AbortSignal.timeout(ALL_MS);
  const ends = AbortSignal.any([signal, clock]);
  try {
    const first = await fetchFile(around, url, ends);
    const listed = listedIn(first);
    if (listed === null) {
      const { title, text } = await around.documents.read(first, ends);
      return { title, parts: [{ title: null, text }], problem: null };
    }
    return await readSitemap(around, first.name, listed, ends);
  } catch (error) {
    signal.throwIfAborted();
    if (clock.aborted)
      throw new EngineError('Reading this address took longer than two minutes.', { retryable: true });
    throw error;
  }
}

interface Fetched {
  bytes: Uint8Array;
  /** The address it came from at last. */
  name: string;
  mediaType: string;
}

async function fetchFile(
  { outside, scan }: Surroundings,
  url: string,
  signal: AbortSignal,
): Promise<Fetched> {
  const answer = await outside.fetch(
    { url, timeoutMs: PAGE_MS, maxBytes: MAX_FILE_BYTES, headers: { accept: ACCEPTED } },
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
  /^(?:text\/(?:html|plain|markdown|csv|xml|tab-separated-values)|application\/(?:xhtml\+xml|xml|pdf|vnd\.openxmlformats-officedocument\.wordprocessingml\.document|octet-stream))\b/i;

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

/** The addresses that a sitemap lists, in its order; null for what is none (sitemaps.org). */
function listedIn({ bytes, name }: Fetched): { pages: string[]; sitemaps: string[] } | null {
  const beginning = Buffer.from(bytes.subarray(0, 2_000)).toString('utf8');
  if (!/<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(beginning)) return null;
  const text = new TextDecoder().decode(bytes);
  const addresses = Array.from(
    text.matchAll(/<(?:\w+:)?loc>([^<]{1,2500})<\/(?:\w+:)?loc>/g),
    ([, address = '']) => address.trim().replaceAll('&amp;', '&').replaceAll('&#38;', '&'),
  );
  const { host } = new URL(name);
  const theirs = [...new Set(addresses)].filter(
    (address) => URL.canParse(address) && new URL(address).host === host,
  );
  return beginning.includes('sitemapindex')
    ? { pages: [], sitemaps: theirs }
    : { pages: theirs, sitemaps: [] };
}

async function readSitemap(
  around: Surroundings,
  address: string,
  first: { pages: string[]; sitemaps: string[] },
  signal: AbortSignal,
): Promise<ReadAddress> {
  const pages = new Set(first.pages);
  let unread = 0;
  let sitemaps = first.sitemaps;
  for (let depth = 1; depth < MAX_DEPTH && sitemaps.length && pages.size < MAX_PAGES; depth++) {
    const next: string[] = [];
    for (const sitemap of sitemaps) {
      if (pages.size >= MAX_PAGES) break;
      const listed = await fetchFile(around, sitemap, signal).then(listedIn, (error: unknown) => {
        if (cannotBeScanned(error)) throw error;
        return null;
      });
      signal.throwIfAborted();
      if (listed === null) unread++;
      for (const page of listed?.pages ?? []) pages.add(page);
      next.push(...(listed?.sitemaps ?? []));
    }
    sitemaps = next;
  }
  const wanted = [...pages].slice(0, MAX_PAGES);
  const read = new Map<string, { title: string | null; text: string }>();
  let problem: unknown;
  let characters = 0;
  const waiting = [...wanted];
  const work = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      signal.throwIfAborted();
      try {
        const { title, text } = await around.documents.read(await fetchFile(around, url, signal), signal);
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
  const parts = wanted.flatMap((url) => read.get(url) ?? []);
  if (parts.length === 0)
    throw problem instanceof EngineError || problem instanceof AppError
      ? problem
      : new EngineError('This sitemap lists no page of its own host.', { retryable: false });
  const missed = pages.size - parts.length;
  return {
    title: new URL(address).host,
    parts,
    problem:
      missed > 0
        ? `${missed} of ${pages.size} pages could not be read${pages.size > MAX_PAGES ? `: at most ${MAX_PAGES} are` : ''}.`
        : unread > 0
          ? `${unread} of its sitemaps could not be read.`
          : null,
  };
}

/** Neither can the pages that are still to come: half of a site is not taken for all of it. */
const cannotBeScanned = (error: unknown) => error instanceof AppError && error.retryable;

import { EngineError } from '#server/lib/engine-error';
import type { DocumentsEngine } from './contract.ts';
import { readSitemap } from './read-sitemap.ts';

/** Reads every file as UTF-8; a file that begins with "unreadable" fails. */
export const createFakeDocuments = (): DocumentsEngine => ({
  async read({ bytes, name }, _, signal) {
    signal?.throwIfAborted();
    const text = new TextDecoder().decode(bytes);
    if (text.startsWith('unreadable')) throw new EngineError('This file is broken.', { retryable: false });
    const title = /<title>([^<]*)/.exec(text)?.[1] ?? null;
    return { kind: title !== null ? 'html' : name.endsWith('.md') ? 'markdown' : 'text', title, text };
  },
  readSitemap: async ({ bytes, name }, most) => readSitemap(bytes, name, most),
  async close() {},
});

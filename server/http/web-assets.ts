import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '#server/lib/errors';
import { sendRefusal } from './server.ts';
import { isForApi } from './session.ts';

/** Folder of the web build, found from the sources and from the build alike. */
export const builtWebAssets = (): string =>
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../dist/web' : '../../web', import.meta.url));

const FOREVER = 'public, max-age=31536000, immutable';

/**
 * Serves the built page: hashed files are cached for ever, others are revalidated each time; every address
 * that a person may open gets `index.html`, since the page has its own routes.
 * @param folder the web build; if missing, nothing is served, as in development, where Vite serves the page
 */
export async function serveWebAssets(app: FastifyInstance, folder: string): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'));
  if (isBuilt)
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: true,
      index: 'index.html',
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        response.header('cache-control', isHashed(path) ? FOREVER : 'no-cache');
      },
    });
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isNavigation(request)) return sendPage(reply);
    return sendRefusal(request, reply, notFound());
  });
}

const sendPage = (reply: FastifyReply) => reply.header('cache-control', 'no-cache').sendFile('index.html');

/** Vite puts files with a hash in their names into `assets`. */
const isHashed = (path: string) => /[\\/]assets[\\/]/.test(path);

/**
 * A browser asks for text/html only when a person opens an address; a room's name may look like a file name.
 * Clients that accept anything, like curl, also get the page, unless the address looks like a file.
 */
function isNavigation(request: FastifyRequest): boolean {
  const { method, url, headers } = request;
  const [path = ''] = url.split('?', 1);
  return (
    (method === 'GET' || method === 'HEAD') &&
    !isForApi(request) &&
    !path.startsWith('/socket.io') &&
    !path.startsWith('/assets/') &&
    (headers.accept?.includes('text/html') === true || ((headers.accept ?? '*/*') === '*/*' && isPlain(path)))
  );
}

/** Neither a file name nor a path traversal. */
const isPlain = (path: string) => !/\.|%2e|%2f|%5c/i.test(path);

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '#server/lib/errors';
import { sendRefusal } from './server.ts';
import { isForApi } from './session.ts';

/** Where the web build lies, seen from the sources and from the build alike. */
export const builtWebAssets = (): string =>
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../dist/web' : '../../web', import.meta.url));

const FOREVER = 'public, max-age=31536000, immutable';

/**
 * Serves the built page: its hashed files for ever, everything else asked for again each time, and `index.html` for
 * every address a person may have opened, since the page has its own routes.
 * @param folder the web build; one that is not there serves nothing, as in development, where Vite serves the page
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

/** Vite puts the files whose name holds their hash into `assets`. */
const isHashed = (path: string) => /[\\/]assets[\\/]/.test(path);

/**
 * A browser asks for text/html when a person opens an address, and only then: a room's name may look like a file's.
 * Who takes anything, as curl does, gets the page too, unless the address looks like a file's.
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

/** Neither a file's name nor an attempt to climb out of the folder. */
const isPlain = (path: string) => !/\.|%2e|%2f|%5c/i.test(path);

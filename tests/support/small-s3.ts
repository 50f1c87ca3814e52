import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface SmallS3 {
  address: string;
  objects: Map<string, { bytes: Buffer; mediaType: string }>;
  /** Method, path and query of every request, in order. */
  requests: string[];
  /** Answers the next `times` requests with this status. */
  fail(status: number, times: number): void;
  close(): Promise<void>;
}

/**
 * A minimal S3 server for one bucket, on a port of this machine: put, get with ranges, list in pages of
 * `pageSize`, delete many. Checks that requests are signed with the right key, but not the signatures.
 */
export async function openSmallS3({ bucket, accessKeyId, pageSize = 3 }: SmallS3Options): Promise<SmallS3> {
  const objects: SmallS3['objects'] = new Map();
  const requests: string[] = [];
  let failure = { status: 500, times: 0 };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://s3');
    requests.push(`${request.method} ${url.pathname}${url.search}`);
    const body = await buffer(request);
    const send = (status: number, content: string | Buffer = '', headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(content);
    if (failure.times-- > 0) return void send(failure.status, xmlError('InternalError'));
    if (!request.headers.authorization?.includes(`Credential=${accessKeyId}/`))
      return void send(403, xmlError('AccessDenied'));
    const [, name, ...rest] = url.pathname.split('/');
    if (name !== bucket) return void send(404, xmlError('NoSuchBucket'));
    const key = decodeURIComponent(rest.join('/'));

    if (request.method === 'PUT') {
      objects.set(key, { bytes: body, mediaType: request.headers['content-type'] ?? '' });
      return void send(200);
    }
    if (request.method === 'POST' && url.searchParams.has('delete')) {
      for (const [, found = ''] of body.toString().matchAll(/<Key>(.*?)<\/Key>/g)) objects.delete(found);
      return void send(200, '<DeleteResult/>');
    }
    if (url.searchParams.get('list-type') === '2') return void send(200, listing(url.searchParams));
    const object = objects.get(key);
    if (!object) return void send(404, xmlError('NoSuchKey'));
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (!range) return void send(200, object.bytes, { 'content-type': object.mediaType });
    const [start, end] = [Number(range[1]), Number(range[2])];
    send(206, object.bytes.subarray(start, end + 1), {
      'content-range': `bytes ${start}-${end}/${object.bytes.length}`,
    });
  }

  function listing(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? '';
    const from = Number(query.get('continuation-token') ?? 0);
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    const page = keys.slice(from, from + pageSize);
    const more = from + pageSize < keys.length;
    return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${
      more ? `<NextContinuationToken>${from + pageSize}</NextContinuationToken>` : ''
    }${page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`;
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The small S3 listens on no port.');
  return {
    address: `http://127.0.0.1:${address.port}`,
    objects,
    requests,
    fail: (status, times) => {
      failure = { status, times };
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface SmallS3Options {
  bucket: string;
  accessKeyId: string;
  pageSize?: number;
}

const xmlError = (code: string) => `<Error><Code>${code}</Code><Message>${code}</Message></Error>`;

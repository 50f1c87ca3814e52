import { TOKEN } from './bare-server.ts';
import { type MemoryClient, piecesOf, withoutFailures } from './memory-connection.ts';
import type { FuzzedParser } from './run.ts';

const request = (head: readonly string[], body = '') =>
  Buffer.from(`${[...head, 'Host: 127.0.0.1'].join('\r\n')}\r\n\r\n${body}`);

/** Node's HTTP parser, and everything of ours that a request passes before its route does anything. */
export function httpReader(client: MemoryClient): FuzzedParser {
  return {
    name: 'http-reader',
    samples: [
      request(['GET /api/conversations?search=a&limit=5 HTTP/1.1', `Authorization: Bearer ${TOKEN}`]),
      request([
        'GET /index.html HTTP/1.1',
        'Accept-Encoding: br, gzip',
        'If-None-Match: "x"',
        'Range: bytes=0-5',
      ]),
      request([
        'GET /public/theme.js HTTP/1.1',
        'If-Match: *',
        'If-Unmodified-Since: Fri, 01 Jan 2100 00:00:00 GMT',
        'If-Range: "x"',
      ]),
      request(['GET /socket.io/?EIO=4&transport=polling HTTP/1.1', 'Origin: http://127.0.0.1']),
      request([
        'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits',
      ]),
      request(
        ['POST /api/auth/login HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 32'],
        '{"email":"a@b.c","password":"x"}',
      ),
      request(
        [
          'POST /api/livekit/webhook HTTP/1.1',
          'Transfer-Encoding: chunked',
          'Content-Type: application/webhook+json',
        ],
        '2;x=y\r\n{}\r\n0\r\nx: y\r\n\r\n',
      ),
    ],
    maxBytes: 20_000,
    async parse(bytes) {
      return withoutFailures(await client.exchange(piecesOf(bytes)));
    },
  };
}

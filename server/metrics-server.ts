import { createServer } from 'node:http';
import { cannotListen } from './listen.ts';
import type { Prometheus } from './telemetry/prometheus.ts';

const TIMEOUT_MS = 10_000;
const settings = { host: 'METRICS_HOST', port: 'METRICS_PORT' };

/**
 * Answers `GET /metrics`, and nothing else, on an address of its own: nobody signs in there, so that it is never behind
 * the page's.
 * @returns the port it listens on, and what ends it
 * @throws StartError when that address cannot be listened on
 */
export async function serveMetrics(
  metrics: Pick<Prometheus, 'contentType' | 'page'>,
  host: string,
  port: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(
    { requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS },
    (request, response) => {
      response.setHeader('x-content-type-options', 'nosniff').setHeader('cache-control', 'no-store');
      const isAsked = request.method === 'GET' || request.method === 'HEAD';
      if (!isAsked || request.url?.split('?')[0] !== '/metrics') {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('Only GET /metrics is here.\n');
        return;
      }
      metrics.page().then(
        (page) => response.writeHead(200, { 'content-type': metrics.contentType }).end(page),
        () => response.writeHead(500, { 'content-type': 'text/plain' }).end('Counting failed.\n'),
      );
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port, settings)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

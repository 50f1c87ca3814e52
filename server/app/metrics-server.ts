import { createServer } from 'node:http';
import { createHostCheck, type IsAllowedHost } from '#server/http/hosts';
import { normalPath } from '#server/http/normal-path';
import type { Prometheus } from '#server/telemetry/prometheus';
import { cannotListen } from './listen.ts';

const TIMEOUT_MS = 10_000;
const settings = { host: 'METRICS_HOST', port: 'METRICS_PORT' };

/**
 * Serves only `GET /metrics`, on an address of its own, since it needs no sign-in and must not share the page's.
 * @param isAllowedHost whether a request is meant for this server; by default if its host is an address or a local name
 * @returns the port it listens on, and a function that ends it
 * @throws StartError when that address cannot be listened on
 */
export async function serveMetrics(
  metrics: Pick<Prometheus, 'contentType' | 'page'>,
  host: string,
  port: number,
  isAllowedHost: IsAllowedHost = createHostCheck({ publicUrl: null, allowedHosts: [] }),
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(
    { requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS },
    (request, response) => {
      response.setHeader('x-content-type-options', 'nosniff').setHeader('cache-control', 'no-store');
      const say = (status: number, sentence: string) =>
        response.writeHead(status, { 'content-type': 'text/plain' }).end(`${sentence}\n`);
      const path = normalPath(request.url);
      const isAsked = request.method === 'GET' || request.method === 'HEAD';
      if (path === null) say(400, 'Ask for this address in its normal form: /metrics.');
      else if (!isAllowedHost(request.headers.host))
        say(403, 'Counters are not shown under this name. The operator can allow it with ALLOWED_HOSTS.');
      else if (!isAsked || path !== '/metrics') say(404, 'Only GET /metrics is here.');
      else
        metrics.page().then(
          (page) => response.writeHead(200, { 'content-type': metrics.contentType }).end(page),
          () => say(500, 'Counting failed.'),
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

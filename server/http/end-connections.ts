import type { Server } from 'node:http';

/** Lets requests under way finish within this time, in milliseconds; then closes remaining connections. */
export async function endConnections(http: Server, graceMs: number): Promise<void> {
  const until = Date.now() + graceMs;
  http.closeIdleConnections();
  while (Date.now() < until && (await connections(http)) > 0) {
    await new Promise((done) => setTimeout(done, 20));
    http.closeIdleConnections();
  }
  http.closeAllConnections();
}

const connections = (http: Server) =>
  new Promise<number>((resolve) => http.getConnections((_error, count) => resolve(count ?? 0)));

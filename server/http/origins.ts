/** Response headers that a page of another origin may read. */
export const EXPOSED_HEADERS = ['x-request-id', 'x-next-cursor', 'retry-after', 'idempotency-replayed'];

/** Methods that a page of another, allowed origin may use: all that the API has. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Whether a page from `origin` may call this server; `host` is the request's Host header. */
export type IsAllowedOrigin = (origin: string, host: string | undefined) => boolean;

/**
 * One allow-list for CORS and the real-time channel: the page that this server serves, its public address,
 * and the origins in the settings. In development the page comes through a proxy that keeps the Host header.
 */
export function createOriginCheck(config: {
  publicUrl: string | null;
  corsOrigins: readonly string[];
}): IsAllowedOrigin {
  const allowed = new Set(config.corsOrigins);
  if (config.publicUrl) allowed.add(new URL(config.publicUrl).origin);
  return (origin, host) => {
    if (allowed.has(origin)) return true;
    if (!host || !URL.canParse(origin)) return false;
    const { protocol, host: originHost } = new URL(origin);
    return (protocol === 'http:' || protocol === 'https:') && originHost === host.toLowerCase();
  };
}

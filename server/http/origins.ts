/** What a page of another origin may read of an answer's headers. */
export const EXPOSED_HEADERS = ['x-request-id', 'x-next-cursor', 'retry-after', 'idempotency-replayed'];

/** What a page of another, allowed origin may ask with: all that the API knows. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Says whether a browser's page from `origin` may call this server, whose own Host header was `host`. */
export type IsAllowedOrigin = (origin: string, host: string | undefined) => boolean;

/**
 * One allow-list for CORS and the real-time channel: the page this server itself serves, its public address, and
 * what the settings add. The development page comes through a proxy that keeps the Host header.
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

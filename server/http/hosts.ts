import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Whether a request with this Host header is meant for this server. */
export type IsAllowedHost = (header: string | undefined) => boolean;

/**
 * Names that cannot be registered, so no stranger's page can have one (RFC 6761, 6762 and 8375, and names
 * common in home and company networks). Includes names without a dot.
 */
const LOCAL = /^[^.]+$|\.(?:localhost|local|lan|home|home\.arpa|internal|intranet|corp|test)$/;

/**
 * Decides which hosts this server answers. Otherwise a stranger's domain that resolves to this machine (DNS
 * rebinding) would count as the product's own page. Always allowed: addresses, local names, this machine's
 * name and PUBLIC_URL's.
 * @param allowedHosts further names; `.example.com` allows all names below it, `*` any
 */
export function createHostCheck(config: {
  publicUrl: string | null;
  allowedHosts: readonly string[];
}): IsAllowedHost {
  const names = new Set(config.allowedHosts);
  names.add(hostname().toLowerCase());
  if (config.publicUrl) names.add(new URL(config.publicUrl).hostname);
  const below = config.allowedHosts.filter((name) => name.startsWith('.'));
  if (names.has('*')) return () => true;
  return (header) => {
    // Every browser sends one, so the request does not come from a page.
    if (!header) return true;
    const name = nameOf(header);
    if (name === null) return false;
    return (
      isIP(name) !== 0 || LOCAL.test(name) || names.has(name) || below.some((suffix) => name.endsWith(suffix))
    );
  };
}

/** The name or address in a Host header, without the port. */
function nameOf(header: string): string | null {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([^:/?#@\s]+))(?::\d*)?$/i.exec(header) ?? [];
  return bracketed ?? plain?.toLowerCase().replace(/\.$/, '') ?? null;
}

import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Says whether a request with this Host header is meant for this server. */
export type IsAllowedHost = (header: string | undefined) => boolean;

/**
 * Names that nobody can register, so that no stranger's page can have one (RFC 6761, 6762 and 8375, and what home and
 * company networks use). A name without a dot is one of them.
 */
const LOCAL = /^[^.]+$|\.(?:localhost|local|lan|home|home\.arpa|internal|intranet|corp|test)$/;

/**
 * Which hosts this server answers for. A page of a stranger's name that leads to this machine (DNS rebinding) would else
 * be taken for the product's own. Known without a setting: addresses, local names, this machine's and PUBLIC_URL's.
 * @param allowedHosts names besides; `.example.com` stands for all below it, `*` for any
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
    // Every browser sends one: without it no page is behind the request.
    if (!header) return true;
    const name = nameOf(header);
    if (name === null) return false;
    return (
      isIP(name) !== 0 || LOCAL.test(name) || names.has(name) || below.some((suffix) => name.endsWith(suffix))
    );
  };
}

/** The name or address in a Host header, without its port. */
function nameOf(header: string): string | null {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([^:/?#@\s]+))(?::\d*)?$/i.exec(header) ?? [];
  return bracketed ?? plain?.toLowerCase().replace(/\.$/, '') ?? null;
}

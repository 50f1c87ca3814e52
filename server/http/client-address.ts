import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { countedAddress } from '#server/lib/networks';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's address, as counted by limits. */
    readonly address: string;
  }
}

/** Finds a request's address, as counted by limits. */
export type AddressOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/** Whether an address belongs to a reverse proxy in front of this server. */
export type IsProxy = (address: string) => boolean;

/** With PUBLIC_URL there is a proxy; unless the settings name it, it is assumed on this machine. */
const THIS_MACHINE = ['127.0.0.0/8', '::1'];

/**
 * Decides which reverse proxies' X-Forwarded-* headers are trusted: only those in TRUSTED_PROXIES. Otherwise
 * clients could write an address of their own and evade limits.
 * @param trustedProxies addresses and CIDR ranges; null: with PUBLIC_URL those on this machine, else none
 */
export function createProxyCheck({
  publicUrl,
  trustedProxies = null,
}: {
  publicUrl: string | null;
  trustedProxies?: readonly string[] | null;
}): IsProxy {
  const list = new BlockList();
  for (const proxy of trustedProxies ?? (publicUrl ? THIS_MACHINE : [])) {
    const [address = '', bits] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (ip) => {
    // Ignore the zone: the interface does not identify a proxy.
    const address = ip.split('%')[0] ?? '';
    const family = isIP(address);
    // A machine that listens on IPv6 sees IPv4 as ::ffff:10.0.0.1, which the list matches.
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** Finds the nearest address that is not a trusted proxy's. */
export function createAddressOf(isProxy: IsProxy): AddressOf {
  return ({ headers, socket }) => {
    let address = socket.remoteAddress ?? '';
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    while (isProxy(address)) {
      const next = withoutPort(forwarded.pop()?.trim() ?? '');
      if (isIP(next) === 0) break;
      address = next;
    }
    return countedAddress(address);
  };
}

/**
 * Some proxies write the connection's port, such as 203.0.113.7:5678 or [2001:db8::7]:443, which differs each
 * time.
 */
const withoutPort = (written: string): string =>
  /^\[(.*)\](?::\d+)?$/.exec(written)?.[1] ?? /^([^:]*):\d+$/.exec(written)?.[1] ?? written;

export function addClientAddress(app: FastifyInstance, addressOf: AddressOf): void {
  app.decorateRequest('address', {
    getter() {
      return addressOf(this.raw);
    },
  });
}

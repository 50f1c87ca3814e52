import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { countedAddress } from '#server/lib/networks';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the request comes from, as limits count it. */
    readonly address: string;
  }
}

/** Says where a request comes from, as limits count it. */
export type AddressOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/** Which addresses are those of reverse proxies in front of this server. */
export type IsProxy = (address: string) => boolean;

/** With PUBLIC_URL there is a proxy, and where nobody says which, the one that needs no name. */
const THIS_MACHINE = ['127.0.0.0/8', '::1'];

/**
 * Reverse proxies whose X-Forwarded-* headers are believed: those that TRUSTED_PROXIES names and no other, or anybody could
 * write an address of their own there and never reach a limit.
 * @param trustedProxies addresses and CIDR ranges; null: nobody said, so with PUBLIC_URL those on this machine, else none
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
    // The link that an address is on says nothing of whose it is.
    const address = ip.split('%')[0] ?? '';
    const family = isIP(address);
    // A machine that listens on IPv6 sees IPv4 as ::ffff:10.0.0.1, which the list knows.
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** The nearest address that is no trusted proxy's. */
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

/** Some proxies write the port of the connection, too, such as 203.0.113.7:5678 or [2001:db8::7]:443: another one each time. */
const withoutPort = (written: string): string =>
  /^\[(.*)\](?::\d+)?$/.exec(written)?.[1] ?? /^([^:]*):\d+$/.exec(written)?.[1] ?? written;

export function addClientAddress(app: FastifyInstance, addressOf: AddressOf): void {
  app.decorateRequest('address', {
    getter() {
      return addressOf(this.raw);
    },
  });
}

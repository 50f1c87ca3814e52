import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { isNear } from '#server/near';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the request comes from, as limits count it. */
    readonly address: string;
  }
}

/** Says where a request comes from, as limits count it. */
export type AddressOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * Reverse proxies whose X-Forwarded-For is believed: those on this machine or a private network, and only when
 * PUBLIC_URL says that there is a proxy. Else anybody could write their own address there and never reach a limit.
 */
export const trustedProxies = (publicUrl: string | null): false | ((address: string) => boolean) =>
  publicUrl ? isNear : false;

/** The nearest address that is no trusted proxy's. */
export function createAddressOf(publicUrl: string | null): AddressOf {
  const isProxy = trustedProxies(publicUrl);
  return ({ headers, socket }) => {
    let address = socket.remoteAddress ?? '';
    if (!isProxy) return countedAddress(address);
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    for (let next = forwarded.pop()?.trim(); next && isProxy(address); next = forwarded.pop()?.trim())
      address = next;
    return countedAddress(address);
  };
}

export function addClientAddress(app: FastifyInstance, addressOf: AddressOf): void {
  app.decorateRequest('address', {
    getter() {
      return addressOf(this.raw);
    },
  });
}

/** One customer's IPv6 network is a /64 (RFC 6177), so its 2^64 addresses count as one. */
export function countedAddress(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail?.split(':').filter(Boolean) ?? [];
  const groups =
    tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

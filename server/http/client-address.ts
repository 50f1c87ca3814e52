import { isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the request comes from, as limits count it. */
    readonly address: string;
  }
}

/**
 * Reverse proxies whose X-Forwarded-For is believed: those on this machine or a private network, and only when
 * PUBLIC_URL says that there is a proxy. Else anybody could write their own address there and never reach a limit.
 */
export const trustedProxies = (publicUrl: string | null): string | false =>
  publicUrl ? 'loopback, linklocal, uniquelocal' : false;

export function addClientAddress(app: FastifyInstance): void {
  app.decorateRequest('address', {
    getter() {
      return countedAddress(this.ip);
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

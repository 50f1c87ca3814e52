import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The form of an address that limits count. A customer's IPv6 network is at least a /64 (RFC 6177), so its
 * 2^64 addresses count as one. Anything else stays unchanged.
 */
export function countedAddress(ip: string): string {
  if (isIP(ip) === 0) return ip;
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6 ? network(address.parts, 64) : address.toString();
}

/**
 * The wider networks of a counted address that may belong to the same customer: for an IPv6 /64 its /56, a
 * home's network, and its /48, an organization's or rented server's. None for IPv4.
 */
export function widerNetworks(counted: string): string[] {
  const [, groups = ''] = /^((?:[\da-f]+:){4}):\/64$/.exec(counted) ?? [];
  const parts = groups.split(':').filter(Boolean);
  if (parts.length === 0) return [];
  const numbers = parts.map((part) => Number.parseInt(part, 16));
  return [network(numbers, 56), network(numbers, 48)];
}

function network([a = 0, b = 0, c = 0, d = 0]: readonly number[], bits: 48 | 56 | 64): string {
  const fourth = { 48: 0, 56: d & 0xff00, 64: d }[bits];
  return `${[a, b, c, fourth].map((group) => group.toString(16)).join(':')}::/${bits}`;
}

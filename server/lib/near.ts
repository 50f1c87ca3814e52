import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const NEAR: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal']);

/** Whether an IP address belongs to this machine or a private network. */
export const isNear = (ip: string): boolean => isIP(ip) !== 0 && NEAR.has(ipaddr.process(ip).range());

/** Whether the host of an address is this machine or in a private network, judging by its name. */
export function isNearHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(name)) return isNear(name);
  return !name.includes('.') || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(name);
}

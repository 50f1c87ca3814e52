import ipaddr from 'ipaddr.js';

/** Public by its number, and yet what a cloud tells each of its own machines: Azure's. */
const METADATA = new Set(['168.63.129.16']);

/**
 * Whether an address is one of the public internet: no private, loopback, link-local, shared, metadata, multicast or
 * reserved one, and none that leads to such a one by carrying it inside.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return isPublic4(parsed);
  if (parsed.isIPv4MappedAddress()) return isPublic4(parsed.toIPv4Address());
  // A gateway of an IPv6-only network: the last four bytes are the address it goes on to.
  if (parsed.range() === 'rfc6052') return isPublic4(new ipaddr.IPv4(parsed.toByteArray().slice(12)));
  // What is given out to the internet so far is 2000::/3; the rest is reserved.
  return parsed.range() === 'unicast' && (parsed.toByteArray()[0] ?? 0) >> 5 === 1;
}

const isPublic4 = (address: ipaddr.IPv4) =>
  address.range() === 'unicast' && !METADATA.has(address.toString());

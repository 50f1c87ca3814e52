import ipaddr from 'ipaddr.js';

/** Public by number, but serves cloud metadata: Azure's. */
const METADATA = new Set(['168.63.129.16']);

/**
 * Whether an address belongs to the public internet: not private, loopback, link-local, shared, metadata,
 * multicast or reserved, and not an address that embeds such a one.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return isPublic4(parsed);
  if (parsed.isIPv4MappedAddress()) return isPublic4(parsed.toIPv4Address());
  // NAT64 gateway of an IPv6-only network: the last four bytes are the target address.
  if (parsed.range() === 'rfc6052') return isPublic4(new ipaddr.IPv4(parsed.toByteArray().slice(12)));
  // Only 2000::/3 is allocated so far; the rest is reserved.
  return parsed.range() === 'unicast' && (parsed.toByteArray()[0] ?? 0) >> 5 === 1;
}

const isPublic4 = (address: ipaddr.IPv4) =>
  address.range() === 'unicast' && !METADATA.has(address.toString());

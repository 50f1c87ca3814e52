import { BlockList, isIPv4, isIPv6 } from 'node:net';

const near = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  near.addSubnet(network, prefix, 'ipv4');
near.addAddress('::1', 'ipv6');
near.addSubnet('fc00::', 7, 'ipv6');
near.addSubnet('fe80::', 10, 'ipv6');

/** Whether an IP address is of this machine or a private network. */
export const isNear = (ip: string): boolean =>
  isIPv4(ip) ? near.check(ip, 'ipv4') : isIPv6(ip) && near.check(ip.split('%')[0] ?? '', 'ipv6');

/** Whether the host of an address is one of this machine or a private network, as far as its name tells. */
export function isNearHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIPv4(name) || isIPv6(name)) return isNear(name);
  return !name.includes('.') || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(name);
}

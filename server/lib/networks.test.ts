import { expect, it } from 'vitest';
import { limitNetworks } from './network-limits.ts';
import { countedAddress, widerNetworks } from './networks.ts';
import { memoryLimiters } from './rate-limits.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('counts %s as %s', (ip, counted) => {
  expect(countedAddress(ip)).toBe(counted);
});

it.each([
  ['203.0.113.7', []],
  ['2001:db8:1:a2f3::/64', ['2001:db8:1:a200::/56', '2001:db8:1:0::/48']],
  ['0:0:0:0::/64', ['0:0:0:0::/56', '0:0:0:0::/48']],
  ['unknown', []],
])('knows the networks around %s', (counted, wider) => {
  expect(widerNetworks(counted)).toEqual(wider);
});

const taken = async (count: number, of: (n: number) => string, limits = aLimit()) => {
  let through = 0;
  for (let n = 0; n < count; n++)
    through += await limits.take(countedAddress(of(n))).then(
      () => 1,
      () => 0,
    );
  return through;
};
const aLimit = () => limitNetworks(memoryLimiters, 'test', { count: 5, windowS: 60 });
const hex = (n: number) => n.toString(16);

it('lets the wider networks of IPv6 do more than an address, and not as much as their addresses together', async () => {
  expect(await taken(100, (n) => `2001:db8::${hex(n)}`)).toBe(5);
  expect(await taken(100, (n) => `2001:db8:0:${hex(n)}::1`)).toBe(20);
  expect(await taken(500, (n) => `2001:db8:0:${hex(n * 100)}::1`)).toBe(80);
  expect(await taken(100, (n) => `2001:db8:${hex(n)}::1`)).toBe(100);
  expect(await taken(100, (n) => `203.0.113.${n}`)).toBe(100);
});

it('counts an address that its network refuses as if it had not come', async () => {
  const limits = aLimit();
  await taken(20, (n) => `2001:db8:0:${hex(n)}::1`, limits);
  expect(await taken(5, () => '2001:db8:0:ff::1', limits)).toBe(0);
  for (let n = 0; n < 5; n++) await limits.giveBack(countedAddress(`2001:db8:0:${hex(n)}::1`));
  expect(await taken(6, () => '2001:db8:0:ff::1', limits)).toBe(5);
});

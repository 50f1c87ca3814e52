import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addClientAddress, countedAddress, createAddressOf, trustedProxies } from './client-address.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('counts %s as %s', (ip, counted) => {
  expect(countedAddress(ip)).toBe(counted);
});

async function addressBehind(publicUrl: string | null, remoteAddress: string): Promise<string> {
  const app = Fastify({ trustProxy: trustedProxies(publicUrl) });
  addClientAddress(app, createAddressOf(publicUrl));
  app.get('/', async (request) => [request.address, request.ip]);
  const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' };
  const [address, ip] = (await app.inject({ url: '/', headers, remoteAddress })).json<string[]>();
  // What the framework makes of the same proxies: scheme and host are believed as far as the address is.
  expect(ip).toBe(address);
  return address ?? '';
}

it('believes no X-Forwarded-For unless PUBLIC_URL says that there is a proxy', async () => {
  expect(await addressBehind(null, '127.0.0.1')).toBe('127.0.0.1');
});

it('believes what a proxy on this machine or a private network adds, and nothing that its client wrote before', async () => {
  for (const proxy of ['127.0.0.1', '10.0.0.2', '192.168.1.1'])
    expect(await addressBehind('https://care.example.com', proxy)).toBe('203.0.113.7');
});

it('believes nobody on the open network', async () => {
  expect(await addressBehind('https://care.example.com', '192.0.2.1')).toBe('192.0.2.1');
});

import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { addClientAddress, createAddressOf, createProxyCheck } from './client-address.ts';

interface Asked {
  publicUrl?: string | null;
  trustedProxies?: string[] | null;
  from: string;
  forwarded?: string;
}

async function addressOf({ publicUrl = null, trustedProxies = null, from, forwarded }: Asked) {
  const isProxy = createProxyCheck({ publicUrl, trustedProxies });
  const app = Fastify({ trustProxy: isProxy });
  addClientAddress(app, createAddressOf(isProxy));
  app.get('/', async (request) => [request.address, request.protocol]);
  const headers = {
    'x-forwarded-proto': 'https',
    ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
  };
  const [address, protocol] = (await app.inject({ url: '/', headers, remoteAddress: from })).json<string[]>();
  return { address, isBelieved: protocol === 'https' };
}
const client = '203.0.113.7';
const publicUrl = 'https://care.example.com';

describe('the address of a client', () => {
  it.each(['127.0.0.1', '10.0.0.2'])('is the one that connects (%s) where nothing is set', async (from) => {
    expect(await addressOf({ from, forwarded: client })).toEqual({ address: from, isBelieved: false });
  });

  it('is what a proxy on this machine says, with PUBLIC_URL alone, and nothing that its client wrote before', async () => {
    const forwarded = `198.51.100.1, ${client}`;
    for (const from of ['127.0.0.1', '::ffff:127.0.0.1', '::1'])
      expect(await addressOf({ publicUrl, from, forwarded })).toEqual({ address: client, isBelieved: true });
  });

  it.each(['10.0.0.2', '192.168.1.1', '172.17.0.1', '192.0.2.1', 'fd00::2', 'fe80::2%eth0'])(
    'is not what %s says, who is no proxy by being near',
    async (from) => {
      const { address, isBelieved } = await addressOf({ publicUrl, from, forwarded: client });
      expect([address === client, isBelieved]).toEqual([false, false]);
    },
  );

  it('is what the proxies say that are named, one by one and by range, and no other: not even this machine’s', async () => {
    const trustedProxies = ['10.0.0.2', '10.1.0.0/24', '2001:db8:aa::/48'];
    for (const from of ['10.0.0.2', '::ffff:10.0.0.2', '10.1.0.9', '2001:db8:aa:1::5'])
      expect((await addressOf({ publicUrl, trustedProxies, from, forwarded: client })).address).toBe(client);
    for (const from of ['10.0.0.3', '10.1.1.9', '127.0.0.1'])
      expect((await addressOf({ publicUrl, trustedProxies, from, forwarded: client })).address).toBe(from);
    expect((await addressOf({ trustedProxies, from: '10.0.0.2', forwarded: client })).address).toBe(client);
  });

  it('is not what a neighbour of the proxy writes to one that adds to it', async () => {
    const forwarded = '198.51.100.1, 10.0.0.77';
    const asked = { publicUrl, trustedProxies: ['10.0.0.2'], from: '10.0.0.2', forwarded };
    expect((await addressOf(asked)).address).toBe('10.0.0.77');
  });

  it.each([
    ['203.0.113.7:5678', '203.0.113.7'],
    ['203.0.113.7:1', '203.0.113.7'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    // Two proxies, each of which writes a port.
    ['203.0.113.7:5678, 127.0.0.1:40000', '203.0.113.7'],
  ])('is read from %s without a port', async (forwarded, address) => {
    expect((await addressOf({ publicUrl, from: '127.0.0.1', forwarded })).address).toBe(address);
  });

  it.each([[undefined], [''], ['unknown'], ['_hidden, '], ['203.0.113.7:port']])(
    'is the proxy’s own where that says %j',
    async (forwarded) => {
      const asked = { publicUrl, from: '127.0.0.1', ...(forwarded === undefined ? {} : { forwarded }) };
      expect((await addressOf(asked)).address).toBe('127.0.0.1');
    },
  );
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveNames } from '../../../tests/support/name-server.ts';
import { lookUpBySystem, lookUpOutside } from './look-up.ts';

const tarpits = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`tarpit${n}.example`, null]));
let names: Awaited<ReturnType<typeof serveNames>>;
let folder: string;
let hostsFile: string;

beforeEach(async () => {
  names = await serveNames({
    'shop.example': ['93.184.216.34', '93.184.216.35'],
    'listed.example': ['93.184.216.34'],
    ...tarpits,
  });
  folder = await mkdtemp(join(tmpdir(), 'sigma-hosts-'));
  hostsFile = join(folder, 'hosts');
  await writeFile(
    hostsFile,
    '# none.example 1.1.1.1\n127.0.0.1 localhost\n10.0.0.9\tListed.example listed2.example # here\n::1 listed.example\n',
  );
});
afterEach(async () => {
  await names.close();
  await rm(folder, { recursive: true });
});

const aSignal = () => new AbortController().signal;
const lookUp = (name: string, signal = aSignal()) =>
  lookUpOutside({ servers: names.servers, hostsFile })(name, signal);
const addresses = async (name: string) => (await lookUp(name)).map(({ address }) => address);

describe('a name of the internet', () => {
  it('is asked for at the name servers', async () => {
    expect((await addresses('shop.example')).toSorted()).toEqual(['93.184.216.34', '93.184.216.35']);
    expect(names.asked).toEqual(['shop.example']);
  });

  it('stands in the hosts file first', async () => {
    expect(await addresses('listed.example')).toEqual(['10.0.0.9', '::1']);
    expect(await addresses('LISTED2.example.')).toEqual(['10.0.0.9']);
    expect(names.asked).toEqual([]);
  });

  it.each(['localhost', 'LOCALHOST.', 'a.localhost'])('is this machine: %s', async (name) => {
    expect(await addresses(name)).toEqual(['127.0.0.1', '::1']);
    expect(names.asked).toEqual([]);
  });

  it.each(['nowhere.example', 'none.example', 'no..name'])('has no address: %s', (name) =>
    expect(lookUp(name)).rejects.toMatchObject({ code: 'ENOTFOUND' }),
  );

  it('is given up when nobody answers, and when it is told to', async () => {
    await expect(lookUp('tarpit0.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
    const stop = new AbortController();
    const asking = lookUp('tarpit1.example', stop.signal);
    stop.abort(new Error('enough'));
    await expect(asking).rejects.toThrow('enough');
  });

  it('is found while many others are not answered', async () => {
    const stop = new AbortController();
    const order: string[] = [];
    const ended = (name: string) => () => order.push(name);
    const stuck = Object.keys(tarpits).map((name) =>
      lookUp(name, stop.signal).then(ended(name), ended(name)),
    );
    await lookUp('shop.example').then(ended('shop.example'));
    expect(order).toEqual(['shop.example']);
    stop.abort(new Error('enough'));
    await Promise.all(stuck);
  });
});

it('a name of this machine is found as every program finds it', async () => {
  const found = await lookUpBySystem('localhost', aSignal());
  expect(found.map(({ address }) => address)).toContain('127.0.0.1');
});

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { EngineError } from '#server/lib/engine-error';
import { noAnswers, serveNoAnswer } from '../../../tests/support/no-answers.ts';
import type { Outside, OutsideRequest } from './contract.ts';
import type { LookUp } from './look-up.ts';
import { isPublicAddress } from './public-address.ts';
import { createSafeFetch } from './safe-fetch.ts';

describe('isPublicAddress', () => {
  it.each(['93.184.216.34', '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    'lets %s be asked',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.0.0.7',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '4000::1',
    'no address',
    '',
  ])('goes not to %s', (address) => expect(isPublicAddress(address)).toBe(false));
});

const servers: Server[] = [];
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
  await Promise.all(
    servers.splice(0).map((server) => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    }),
  );
});

/** A server on this machine, which only a test may reach. @returns its host with its port */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A resolver with fixed answers; several answers are given one after the other. */
const names =
  (meanings: Record<string, string[][]>): LookUp =>
  async (host) => {
    const turns = meanings[host];
    const addresses = turns && turns.length > 1 ? turns.shift() : turns?.[0];
    if (!addresses) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };

/** Fetches for one account. */
const ofAnAccount = ({ fetch }: Outside) => ({
  fetch: (request: Omit<OutsideRequest, 'account'>, signal?: AbortSignal) =>
    fetch({ account: 'account', ...request }, signal),
});
/** A fetcher with these names, used for private hosts as well. */
const withNames = (meanings: Record<string, string[][]>) => {
  const lookUp = names(meanings);
  return ofAnAccount(createSafeFetch({ lookUp, lookUpInside: lookUp }));
};
const outside = ofAnAccount(createSafeFetch());
const fetched = async (request: Omit<OutsideRequest, 'account'>) => {
  const { response } = await outside.fetch(request);
  return response.text();
};

describe('createSafeFetch', () => {
  it('fetches what a server answers', async () => {
    const host = await serve((request, response) => {
      response.writeHead(201, {
        'content-type': 'text/plain',
        'x-asked': request.headers.authorization ?? '',
      });
      response.end(`${request.method} ${request.url}`);
    });
    const { url, response } = await outside.fetch({
      url: `http://${host}/a?b`,
      method: 'POST',
      headers: { authorization: 'Bearer x' },
      body: '{}',
      privateHosts: [host],
    });
    expect(url).toBe(`http://${host}/a?b`);
    expect(response.status).toBe(201);
    expect(response.headers.get('x-asked')).toBe('Bearer x');
    expect(await response.text()).toBe('POST /a?b');
  });

  it.each([
    'http://127.0.0.1:8080/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'https://10.1.2.3/',
  ])('does not go to %s', (url) =>
    expect(outside.fetch({ url })).rejects.toMatchObject({
      name: 'EngineError',
      retryable: false,
      message: expect.stringContaining('lies in a private network, where this server does not go.'),
    }),
  );

  it.each([
    'file:///etc/passwd',
    'ftp://example.com',
    'gopher://example.com',
    'example.com',
    'javascript:1',
    '',
  ])('takes %s for no web address', (url) =>
    expect(outside.fetch({ url })).rejects.toThrow('This is no web address'),
  );

  it('takes no address with a password in it', () =>
    expect(outside.fetch({ url: 'https://user:secret@example.com/' })).rejects.toThrow(
      'The address holds a name or a password, which do not belong there.',
    ));

  it('does not go where a name leads into a private network, be it with one of its addresses', async () => {
    const { fetch } = withNames({
      'inside.example': [['10.0.0.1']],
      'both.example': [['93.184.216.34', '::1']],
      'nowhere.example': [[]],
    });
    for (const name of ['inside', 'both', 'nowhere'])
      await expect(fetch({ url: `http://${name}.example/` })).rejects.toThrow('private network');
  });

  it('looks a name up once for each request, and connects to what it found', async () => {
    const host = await serve((_, response) => response.end('found'));
    const url = `http://rebinding.example:${host.split(':')[1]}/`;
    const meanings = [['127.0.0.1'], ['10.0.0.1']];
    const { fetch } = withNames({ 'rebinding.example': meanings });
    const { response } = await fetch({ url, privateHosts: ['rebinding.example'] });
    expect(await response.text()).toBe('found');
    expect(meanings).toHaveLength(1);
    await expect(fetch({ url })).rejects.toThrow('private network');
  });

  it('goes into a private network where its host was named, with that port alone if one was', async () => {
    const host = await serve((_, response) => response.end('inside'));
    const other = await serve((_, response) => response.end('other'));
    const named = withNames({ 'erp.internal': [['127.0.0.1']] });
    const url = `http://erp.internal:${host.split(':')[1]}/`;
    const { response } = await named.fetch({ url, privateHosts: ['ERP.internal'] });
    expect(await response.text()).toBe('inside');
    await expect(named.fetch({ url })).rejects.toThrow('private network');
    expect(await fetched({ url: `http://${other}/`, privateHosts: ['127.0.0.1'] })).toBe('other');
    await expect(fetched({ url: `http://${other}/`, privateHosts: [host] })).rejects.toThrow(
      'private network',
    );
  });

  it('follows redirects, and looks at each of them', async () => {
    const secret = await serve((_, response) => response.end('secret'));
    const host = await serve((request, response) => {
      const to = { '/there': '/here', '/inside': `http://${secret}/`, '/file': 'file:///etc/passwd' };
      const location = to[request.url as keyof typeof to];
      if (location) response.writeHead(302, { location }).end();
      else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end();
      else response.end('here');
    });
    const get = (path: string) => outside.fetch({ url: `http://${host}${path}`, privateHosts: [host] });
    const { url, response } = await get('/there');
    expect([url, await response.text()]).toEqual([`http://${host}/here`, 'here']);
    await expect(get('/inside')).rejects.toThrow('private network');
    await expect(get('/file')).rejects.toThrow('redirects to what is no web address.');
    await expect(get('/round')).rejects.toThrow('redirects too often.');
  });

  it('takes no secret along to another server, and no order anywhere', async () => {
    const seen: (string | undefined)[] = [];
    const second = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end('second');
    });
    const first = await serve((_, response) =>
      response.writeHead(307, { location: `http://${second}/` }).end('elsewhere'),
    );
    const request = {
      url: `http://${first}/`,
      headers: { authorization: 'Bearer secret' },
      privateHosts: [first, second],
    };
    expect(await fetched(request)).toBe('second');
    expect(seen).toEqual([undefined]);
    const { response } = await outside.fetch({ ...request, method: 'POST', body: '{}' });
    expect([response.status, await response.text(), seen.length]).toEqual([307, 'elsewhere', 1]);
  });

  it('reads no more than it may, declared or not, packed or not', async () => {
    const large = Buffer.alloc(300_000, 'x');
    const host = await serve((request, response) => {
      if (request.url === '/packed')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large));
      else if (request.url === '/declared') response.end(large);
      else {
        response.write(large.subarray(0, 100));
        response.end(large);
      }
    });
    const get = (path: string, maxBytes: number) =>
      fetched({ url: `http://${host}${path}`, maxBytes, privateHosts: [host] });
    for (const path of ['/packed', '/declared', '/endless'])
      await expect(get(path, 200_000)).rejects.toThrow(`${host} sends more than 200 kB.`);
    expect(await get('/packed', 300_000)).toHaveLength(300_000);
  });

  it('waits no longer than it may, for the head and for the body', async () => {
    const host = await serve((request, response) => {
      if (request.url === '/body') response.write('a beginning');
    });
    const get = (path: string) =>
      fetched({ url: `http://${host}${path}`, timeoutMs: 100, privateHosts: [host] });
    for (const path of ['/head', '/body'])
      await expect(get(path)).rejects.toMatchObject({
        message: `${host} took too long to answer.`,
        retryable: true,
      });
  });

  it.each(noAnswers)(
    'waits no longer than it may for a server that %s, be it spoken to by TLS',
    async (way) => {
      const { host, close } = await serveNoAnswer(way);
      closing.push(close);
      for (const scheme of ['http', 'https'])
        await expect(
          fetched({ url: `${scheme}://${host}/`, timeoutMs: 300, privateHosts: [host] }),
          scheme,
        ).rejects.toMatchObject({ name: 'EngineError', retryable: true });
    },
  );

  it.each(noAnswers)('stops when it is told to, though a server %s', async (way) => {
    const { host, close } = await serveNoAnswer(way);
    closing.push(close);
    const stop = new AbortController();
    const reason = new Error('enough');
    const reading = outside
      .fetch({ url: `http://${host}/`, privateHosts: [host] }, stop.signal)
      .then(({ response }) => response.text());
    setTimeout(() => stop.abort(reason), 100);
    const ended = await reading.catch((error: unknown) => error);
    expect(ended === reason || ended instanceof EngineError).toBe(true);
  });

  it('stops when it is told to', async () => {
    const host = await serve((request, response) => {
      if (request.url === '/body') response.write('a beginning');
    });
    const stop = new AbortController();
    const reason = new Error('enough');
    const head = outside.fetch({ url: `http://${host}/head`, privateHosts: [host] }, stop.signal);
    stop.abort(reason);
    await expect(head).rejects.toBe(reason);
    await expect(outside.fetch({ url: `http://${host}/`, privateHosts: [host] }, stop.signal)).rejects.toBe(
      reason,
    );
  });

  it.each(['says for ever that it goes on', 'hints for ever at what will come'] as const)(
    'gives a server up that %s, long before its time is up',
    async (way) => {
      const { host, close } = await serveNoAnswer(way);
      closing.push(close);
      await expect(
        fetched({ url: `http://${host}/`, timeoutMs: 600_000, privateHosts: [host] }),
      ).rejects.toThrow('sends nothing that is an answer.');
    },
  );

  it('ends a request whose name nobody looks up, and makes no other account wait for it', async () => {
    const order: string[] = [];
    const host = await serve((_, response) => response.end('found'));
    const { fetch } = createSafeFetch({
      lookUp: () => new Promise(() => {}),
      lookUpInside: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const stuck = Array.from({ length: 5 }, (_, n) =>
      fetch({ account: 'a', url: `http://tarpit${n}.example/`, timeoutMs: 500 }).catch((error: Error) =>
        order.push(error.message),
      ),
    );
    const url = `http://erp.internal:${host.split(':')[1]}/`;
    const { response } = await fetch({ account: 'b', url, privateHosts: ['erp.internal'] });
    order.push(await response.text());
    await Promise.all(stuck);
    expect(order[0]).toBe('found');
    expect(order.slice(1)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^tarpit0.example took too long to answer/)]),
    );
    expect(order).toHaveLength(6);
  });

  it('looks two names of an account up at once', async () => {
    const asked: string[] = [];
    const { fetch } = createSafeFetch({
      lookUp: async (name, signal) => {
        asked.push(name);
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        return [];
      },
    });
    const stop = new AbortController();
    const asking = ['a', 'a', 'a', 'b'].map((account, n) =>
      fetch({ account, url: `http://${account}${n}.example/` }, stop.signal).catch(() => {}),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual(['a0.example', 'a1.example', 'b3.example']);
    stop.abort(new Error('enough'));
    await Promise.all(asking);
  });

  it('says what is wrong in one sentence', async () => {
    const host = await serve((_, response) => response.destroy());
    await expect(withNames({}).fetch({ url: 'http://gone.example/' })).rejects.toThrow(
      'gone.example was not found: check the address.',
    );
    await expect(fetched({ url: `http://${host}/`, privateHosts: [host] })).rejects.toMatchObject({
      message: `${host} cannot be reached.`,
      retryable: true,
    });
    await expect(fetched({ url: `https://${host}/`, privateHosts: [host] })).rejects.toMatchObject({
      name: 'EngineError',
    });
  });
});

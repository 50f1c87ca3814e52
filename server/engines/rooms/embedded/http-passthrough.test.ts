import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { Server as SocketServer } from 'socket.io';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { passThrough } from './http-passthrough.ts';

const portOf = (server: Server) => (server.address() as AddressInfo).port;

const isOwn = (origin: string) => origin === 'http://here';

/** How long the neighbouring channel keeps an unknown upgrade open, in milliseconds. */
const PATIENCE_MS = 50;

describe('upgrades on the port that the room server shares', () => {
  let web: HttpServer;
  let detach: () => void;
  let end: (() => void)[];

  beforeEach(async () => {
    end = [];
    web = createServer((_request, response) => response.end('the product'));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    end.push(() => web.close());
  });
  afterEach(() => {
    detach();
    for (const close of end) close();
  });

  const withChannel = () => {
    const channel = new SocketServer(web, {
      path: '/socket.io',
      destroyUpgradeTimeout: PATIENCE_MS,
    });
    end.push(() => channel.engine.close());
  };
  /** The server's answer until it closes the connection, or until `isEnough`. */
  const upgrade = async (path: string, isEnough = (_answer: string) => false, origin = '') => {
    const socket = connect(portOf(web), '127.0.0.1');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${origin && `Origin: ${origin}\r\n`}\r\n`,
    );
    let answer = '';
    const ended = once(socket.setEncoding('utf8'), 'close');
    socket.on('data', (text: string) => {
      answer += text;
      if (isEnough(answer)) socket.destroy();
    });
    await ended;
    return answer;
  };

  it('waits for a room server that takes its time, whatever the channel beside does with strangers', async () => {
    withChannel();
    const slow = createTcpServer((socket) => {
      socket.on('error', () => {});
      setTimeout(() => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\nhello'), 5 * PATIENCE_MS);
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    end.push(() => slow.close());
    detach = passThrough(web, () => portOf(slow), isOwn);
    expect(await upgrade('/rtc/v1?access_token=x', (answer) => answer.endsWith('hello'))).toContain('101');
  });

  it('leaves strangers to the channel, which ends them', async () => {
    withChannel();
    detach = passThrough(web, () => null, isOwn);
    expect(await upgrade('/elsewhere')).toBe('');
  });

  it('refuses strangers itself where nobody else takes upgrades', async () => {
    detach = passThrough(web, () => null, isOwn);
    expect(await upgrade('/elsewhere')).toContain('404 Not Found');
  });

  it('gives every refusal the headers it was told, and no upgrade that is taken', async () => {
    withChannel();
    let answer = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n';
    const rooms = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(answer));
    });
    await new Promise<void>((resolve) => rooms.listen(0, '127.0.0.1', resolve));
    end.push(() => rooms.close());
    let isReady = true;
    const headers = { 'strict-transport-security': 'max-age=1' };
    detach = passThrough(web, () => (isReady ? portOf(rooms) : null), isOwn, headers);
    expect(await upgrade('/rtc')).toBe(
      'HTTP/1.1 401 Unauthorized\r\nstrict-transport-security: max-age=1\r\nContent-Length: 0\r\n\r\n',
    );
    answer = 'HTTP/1.1 101 Switching Protocols\r\n\r\nhello';
    expect(await upgrade('/rtc')).toBe(answer);
    expect(await upgrade('/rtc', undefined, 'http://elsewhere')).toMatch(
      /403 Forbidden\r\nstrict-transport-security: max-age=1\r\n/s,
    );
    isReady = false;
    expect(await upgrade('/rtc')).toMatch(
      /503 Service Unavailable\r\n.*strict-transport-security: max-age=1\r\n/s,
    );
  });

  it('says that rooms are not ready while they are not', async () => {
    withChannel();
    detach = passThrough(web, () => null, isOwn);
    expect(await upgrade('/rtc')).toContain('503 Service Unavailable');
  });

  it('refuses pages of a foreign origin before the room server hears of them', async () => {
    let asked = 0;
    const rooms = createServer((_request, response) => {
      asked++;
      response.end('success');
    });
    rooms.on('upgrade', (_request, socket) => {
      asked++;
      socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    });
    await new Promise<void>((resolve) => rooms.listen(0, '127.0.0.1', resolve));
    end.push(() => rooms.close());
    detach = passThrough(web, () => portOf(rooms), isOwn);
    const validate = (origin: string) =>
      fetch(`http://127.0.0.1:${portOf(web)}/rtc/validate`, { headers: { origin } });
    for (const foreign of ['https://evil.example.com', 'null']) {
      expect(await upgrade('/rtc?access_token=x', undefined, foreign)).toContain('403 Forbidden');
      expect((await validate(foreign)).status).toBe(403);
    }
    expect(asked).toBe(0);
    expect(await upgrade('/rtc?access_token=x', undefined, 'http://here')).toContain('101');
    expect((await validate('http://here')).status).toBe(200);
    expect(await upgrade('/rtc?access_token=x')).toContain('101');
  });

  it('gives everything back', async () => {
    withChannel();
    detach = passThrough(web, () => null, isOwn);
    detach();
    detach = () => {};
    expect(await (await fetch(`http://127.0.0.1:${portOf(web)}/rtc/validate`)).text()).toBe('the product');
    expect(await upgrade('/rtc')).toBe('');
  });
});

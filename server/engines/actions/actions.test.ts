import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSafeFetch } from '#server/engines/outside/safe-fetch';
import { noAnswers, serveNoAnswer } from '../../../tests/support/no-answers.ts';
import type { SystemRequest } from './contract.ts';
import { createActions } from './index.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Starts an HTTP server on this machine. @returns its address */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const outside = createSafeFetch();
const engine = createActions({ outside, privateHosts: ['127.0.0.1'], timeoutMs: 300 });
const aSignal = () => new AbortController().signal;
const account = 'account';
const ask = (url: string, changes: Partial<SystemRequest> = {}) =>
  engine.call({ account, method: 'GET', url, headers: {}, ...changes }, aSignal());

describe('a system over HTTP', () => {
  it('is asked with what the action says, and its JSON comes back', async () => {
    const seen: unknown[] = [];
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      seen.push([
        request.method,
        request.url,
        request.headers.authorization,
        request.headers['idempotency-key'],
        body,
      ]);
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"reference":"R-1"}');
    });
    const answer = await ask(`${url}/refunds?x=%26`, {
      method: 'POST',
      headers: { authorization: 'Bearer key' },
      body: { order: '4471' },
      idempotencyKey: 'once',
    });
    expect(answer).toMatchObject({ outcome: 'done', status: 201, answer: { reference: 'R-1' } });
    expect(seen).toEqual([['POST', '/refunds?x=%26', 'Bearer key', 'once', '{"order":"4471"}']]);
  });

  it('that answers nothing has done it', async () => {
    const url = await serve((_, response) => response.writeHead(204).end());
    expect(await ask(url, { method: 'DELETE' })).toMatchObject({ outcome: 'done', answer: null });
  });

  it.each<[string, RequestListener, RegExp]>([
    ['answers 500', (_, response) => response.writeHead(500).end('{}'), /problem of its own \(500\)/],
    [
      'answers a web page',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'),
      /web page instead of JSON/,
    ],
    ['answers no JSON', (_, response) => response.end('{"a":'), /no JSON/],
    [
      'answers JSON nested 9,000 deep',
      (_, response) => response.end(`${'['.repeat(9_000)}${']'.repeat(9_000)}`),
      /nested more than 64 levels deep/,
    ],
    [
      'answers JSON nested 10,000 objects deep',
      (_, response) => response.end(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
      /nested more than 64 levels deep/,
    ],
    ['answers 20 MB', (_, response) => response.end(Buffer.alloc(20_000_000, '1')), /more than 64 kB/],
    ['hangs', () => {}, /took too long/],
    ['hangs up', (_, response) => response.destroy(), /cannot be reached/],
    ['wants another key', (_, response) => response.writeHead(401).end(), /check the key/],
    [
      'leads elsewhere',
      (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      /private network/,
    ],
  ])('that %s has failed, in one sentence', async (_, listener, sentence) => {
    const answer = await ask(await serve(listener));
    expect(answer).toMatchObject({ outcome: 'failed', problem: expect.stringMatching(sentence) });
  });

  it.each<[string, RequestListener]>([
    ['hangs', () => {}],
    ['hangs up', (_, response) => response.destroy()],
    ['answers a web page', (_, response) => response.end('<html>')],
    ['answers 20 MB', (_, response) => response.end(Buffer.alloc(20_000_000, '1'))],
  ])('that is told to do something and %s may have done it, and is not told again', async (_, listener) => {
    let asked = 0;
    const url = await serve((request, response) => {
      asked++;
      listener(request, response);
    });
    expect(await ask(url, { method: 'POST', body: {} })).toMatchObject({ outcome: 'unknown' });
    expect(asked).toBe(1);
  });

  it.each(noAnswers)('that %s has failed, and may have done what it was told', async (way) => {
    const { host, close } = await serveNoAnswer(way);
    const url = `http://${host}/`;
    const [looked, told] = await Promise.all([ask(url), ask(url, { method: 'POST', body: {} })]);
    expect([looked.outcome, told.outcome]).toEqual(['failed', 'unknown']);
    await close();
  });

  it('that nests its answer more deeply than anything can walk through has failed', async () => {
    const url = await serve((_, response) => response.end('['.repeat(15_000) + ']'.repeat(15_000)));
    expect(await ask(url)).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/nested more than 64 levels deep/),
    });
  });

  it('that is not there was never told', async () => {
    const url = await serve(() => {});
    await new Promise((resolve) => servers.pop()?.close(resolve));
    expect(await ask(url, { method: 'POST' })).toMatchObject({ outcome: 'failed' });
  });

  it('whose name is looked up for too long was never told', async () => {
    const lost = createActions({
      outside: createSafeFetch({ lookUp: () => new Promise(() => {}) }),
      privateHosts: [],
      timeoutMs: 100,
    });
    const request = { account, method: 'POST', url: 'http://shop.example/', headers: {} } as const;
    expect(await lost.call(request, aSignal())).toMatchObject({
      outcome: 'failed',
      problem: 'shop.example took too long to answer.',
    });
  });

  it.each([400, 404, 409, 422])('that answers %s knows or wants none of it', async (status) => {
    const url = await serve((_, response) => response.writeHead(status).end('{"error":"no such order"}'));
    expect(await ask(url)).toMatchObject({ outcome: 'refused', status, answer: { error: 'no such order' } });
  });

  it.each([
    ['GET', 2],
    ['PUT', 2],
    ['DELETE', 2],
    ['POST', 1],
    ['PATCH', 1],
  ] as const)('that is away for a moment is asked by %s %i times', async (method, times) => {
    let asked = 0;
    const url = await serve((_, response) => {
      asked++;
      response.writeHead(asked === 1 ? 503 : 200).end('{}');
    });
    const answer = await ask(url, { method });
    expect([asked, answer.outcome]).toEqual([times, times === 2 ? 'done' : 'failed']);
  });

  it('of a private network is not asked unless it was named', async () => {
    let asked = 0;
    const url = await serve((_, response) => {
      asked++;
      response.end('{}');
    });
    const strict = createActions({ outside, privateHosts: [] });
    const answer = await strict.call({ account, method: 'GET', url, headers: {} }, aSignal());
    expect(answer).toMatchObject({ outcome: 'failed', problem: expect.stringContaining('private network') });
    expect(
      await strict.callTool({ account, url, headers: {}, tool: 'x', input: {} }, aSignal()),
    ).toMatchObject({
      outcome: 'failed',
      problem: expect.stringContaining('private network'),
    });
    await expect(strict.tools({ account, url, headers: {} }, aSignal())).rejects.toThrow('private network');
    expect(asked).toBe(0);
  });

  it('is waited for no longer than somebody wants to', async () => {
    const stop = new AbortController();
    const asking = engine.call(
      { account, method: 'GET', url: await serve(() => {}), headers: {} },
      stop.signal,
    );
    stop.abort(new Error('enough'));
    await expect(asking).rejects.toThrow('enough');
  });
});

/** A tool server built with the SDK, as their authors build them. */
const toolServer = (seen: unknown[] = []) =>
  serve(async (request, response) => {
    seen.push(request.headers.authorization);
    const server = new McpServer({ name: 'Shop', version: '1' });
    server.registerTool(
      'order_status',
      {
        description: 'Where an order is.',
        inputSchema: { order: z.number().int() },
        annotations: { readOnlyHint: true },
      },
      ({ order }) => ({ content: [{ type: 'text', text: JSON.stringify({ order, status: 'packed' }) }] }),
    );
    server.registerTool('fails', { description: 'Fails.' }, () => ({
      isError: true,
      content: [{ type: 'text', text: 'No.' }],
    }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    await transport.handleRequest(request, response);
  });

describe('a server of tools', () => {
  const patient = createActions({ outside, privateHosts: ['127.0.0.1'], timeoutMs: 60_000 });

  it('lists them', async () => {
    const tools = await patient.tools({ account, url: await toolServer(), headers: {} }, aSignal());
    expect(tools.map(({ name, description, readOnly }) => [name, description, readOnly])).toEqual([
      ['order_status', 'Where an order is.', true],
      ['fails', 'Fails.', false],
    ]);
    expect(tools[0]?.input).toMatchObject({
      properties: { order: { type: 'integer' } },
      required: ['order'],
    });
  });

  it('uses one, with numbers as numbers and the headers of the action', async () => {
    const seen: unknown[] = [];
    const url = await toolServer(seen);
    const call = {
      account,
      url,
      headers: { authorization: 'Bearer key' },
      tool: 'order_status',
      input: { order: '4471' },
    };
    expect(await patient.callTool(call, aSignal())).toMatchObject({
      outcome: 'done',
      answer: { order: 4471, status: 'packed' },
    });
    expect(new Set(seen)).toEqual(new Set(['Bearer key']));
  });

  it('says what is wrong', async () => {
    const url = await toolServer();
    expect(
      await patient.callTool({ account, url, headers: {}, tool: 'fails', input: {} }, aSignal()),
    ).toMatchObject({
      outcome: 'refused',
    });
    expect(
      await patient.callTool({ account, url, headers: {}, tool: 'gone', input: {} }, aSignal()),
    ).toMatchObject({
      outcome: 'failed',
      problem: 'It has no tool called gone any more.',
    });
    const page = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    );
    await expect(patient.tools({ account, url: page, headers: {} }, aSignal())).rejects.toThrow(
      'Model Context Protocol',
    );
  });
});

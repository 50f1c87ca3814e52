import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createSafeFetch } from '#server/engines/outside/safe-fetch';
import { noAnswers, serveNoAnswer } from '../../../tests/support/no-answers.ts';
import { createActions } from './index.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(closers.splice(0).map((close) => close()));
});

const account = 'account';
const headers = {};
const outside = createSafeFetch();
const engineOf = (timeoutMs?: number) =>
  createActions({ outside, privateHosts: ['127.0.0.1'], ...(timeoutMs ? { timeoutMs } : {}) });
const engine = engineOf(60_000);
const aSignal = () => new AbortController().signal;

type Answer = object | ((response: ServerResponse, answer: (result: object) => object) => unknown);

/**
 * A tool server with scripted answers: a result for each method, or a function that writes the response.
 * @returns its address, and the methods it received, in order
 */
async function toolServer(answers: Record<string, Answer>) {
  const seen: string[] = [];
  const all: Record<string, Answer> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    },
    ...answers,
  };
  const server: Server = createServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { id, method } = z
      .object({ id: z.number().optional(), method: z.string().default('an answer') })
      .parse(JSON.parse(body));
    seen.push(method);
    const answer = all[method];
    if (id === undefined || answer === undefined) return response.writeHead(202).end();
    const message = (result: object) => ({ jsonrpc: '2.0', id, result });
    if (typeof answer === 'function') return answer(response, message);
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(message(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const call = (url: string, name = 'a', input = {}) =>
  engine.callTool({ account, url, headers, tool: name, input }, aSignal());
const event = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
const stream = (response: ServerResponse, messages: readonly object[]) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(messages.map(event).join(''));

describe('schemas of a tool server', () => {
  it('are compiled by nobody, neither for a list nor for an answer', async () => {
    const compile = vi.spyOn(AjvJsonSchemaValidator.prototype, 'getValidator');
    const properties = Object.fromEntries(
      Array.from({ length: 5_500 }, (_, n) => [`property${n}`, { type: 'string', pattern: `^(a+)+${n}$` }]),
    );
    const pattern = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
    const { url } = await toolServer({
      'tools/list': {
        tools: [
          tool('a', { outputSchema: pattern }),
          tool('b', { outputSchema: { type: 'object', properties } }),
        ],
      },
      'tools/call': { content: [], structuredContent: { text: `${'a'.repeat(26)}!` } },
    });
    expect(await engine.tools({ account, url, headers }, aSignal())).toHaveLength(2);
    expect(await call(url)).toMatchObject({ outcome: 'done', answer: { text: `${'a'.repeat(26)}!` } });
    expect(compile).not.toHaveBeenCalled();
  });

  it('are read as far as an action could use them', async () => {
    const many = Array.from({ length: 40_000 }, (_, n) => `p${n}`);
    const inputSchema = {
      type: 'object',
      properties: Object.fromEntries(many.map((name) => [name, name === 'p0' ? { type: 'integer' } : {}])),
      required: many,
    };
    const tools = [
      tool('first', { inputSchema, description: 'x'.repeat(50_000) }),
      ...Array.from({ length: 999 }, (_, n) => tool(`tool${n}`)),
    ];
    const { url } = await toolServer({ 'tools/list': { tools } });
    const found = await engine.tools({ account, url, headers }, aSignal());
    expect(found).toHaveLength(200);
    expect(found[0]?.description.length).toBeLessThanOrEqual(2_000);
    const { properties, required } = z
      .object({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()) })
      .parse(found[0]?.input);
    expect(properties.p0).toEqual({ type: 'integer' });
    expect([Object.keys(properties).length, required.length]).toEqual([30, 100]);
  });
});

describe('a tool server', () => {
  it('has its tools on as many pages as it likes', async () => {
    const { url } = await toolServer({
      'tools/list': (response, answer) => {
        pages++;
        const page = pages % 2 === 1 ? { tools: [tool('a')], nextCursor: 'more' } : { tools: [tool('b')] };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(page)));
      },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
    });
    let pages = 0;
    expect((await engine.tools({ account, url, headers }, aSignal())).map(({ name }) => name)).toEqual([
      'a',
      'b',
    ]);
    expect(await call(url, 'b')).toMatchObject({ outcome: 'done', answer: { text: 'done' } });
  });

  it('is sent nothing for what it asks of its own accord', async () => {
    const asks = Array.from({ length: 300 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    const { url, seen } = await toolServer({
      'tools/list': async (response, answer) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const message of asks) response.write(event(message));
        // Wait until the server has received what we sent.
        for (let time = 0; time < 10 && seen.length < 4; time++) await pause(100);
        response.end(event(answer({ tools: [tool('a')] })));
      },
    });
    expect(await engine.tools({ account, url, headers }, aSignal())).toHaveLength(1);
    expect(seen).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
  });

  it('is understood whatever its stream is cut into', async () => {
    const { url } = await toolServer({
      'tools/list': async (response, answer) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const message = JSON.stringify(answer({ tools: [tool('größe')] }));
        const cut = message.indexOf(',') + 1;
        const text = Buffer.from(
          `: hello\r\n\r\nid: 1\r\ndata: ${message.slice(0, cut)}\r\ndata:${message.slice(cut)}\r\n\r\n`,
        );
        for (const byte of text) {
          response.write(Buffer.of(byte));
          await new Promise((resolve) => setImmediate(resolve));
        }
      },
    });
    expect((await engine.tools({ account, url, headers }, aSignal())).map(({ name }) => name)).toEqual([
      'größe',
    ]);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    [
      'tells more besides than anybody reads',
      (response) =>
        stream(
          response,
          Array.from({ length: 20_000 }, () => ({})),
        ),
    ],
    ['sends more than 1 MB', (response) => stream(response, [{ text: 'x'.repeat(1_100_000) }])],
    [
      'answers somebody else',
      (response) => response.end(JSON.stringify({ jsonrpc: '2.0', id: 99, result: {} })),
    ],
    [
      'nests its answer',
      (response) => response.end(`{"jsonrpc":"2.0","id":1,"result":${'['.repeat(30_000)}`),
    ],
    [
      'answers with an error',
      (response) => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: 7 })),
    ],
  ])('that %s is refused in one sentence', async (_, listener) => {
    const { url } = await toolServer({ 'tools/list': listener });
    await expect(engine.tools({ account, url, headers }, aSignal())).rejects.toMatchObject({
      name: 'EngineError',
      message: expect.stringMatching(/^[A-Z\d].*\.$/),
    });
  });

  it('has one time for all that it is asked', async () => {
    const slowly =
      (result: object): Answer =>
      async (response, answer) => {
        await pause(200);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(result)));
      };
    const { url, seen } = await toolServer({
      'tools/list': slowly({ tools: [tool('a')] }),
      'tools/call': slowly({ content: [] }),
    });
    const input = { account, url, headers, tool: 'a', input: {} };
    expect(await engineOf(300).callTool(input, aSignal())).toMatchObject({
      problem: 'It took too long to answer.',
    });
    expect(seen.filter((method) => method === 'tools/list')).toHaveLength(1);
  });

  it.each(noAnswers)('that %s is waited for no longer than it may be', async (way) => {
    const { host, close } = await serveNoAnswer(way);
    closers.push(close);
    const server = { account, url: `http://${host}/`, headers };
    const hurried = engineOf(300);
    const [listed, called] = await Promise.allSettled([
      hurried.tools(server, aSignal()),
      hurried.callTool({ ...server, tool: 'a', input: {} }, aSignal()),
    ]);
    expect(listed).toMatchObject({ status: 'rejected', reason: { name: 'EngineError' } });
    expect(called).toMatchObject({ status: 'fulfilled', value: { outcome: 'failed' } });
  });
});

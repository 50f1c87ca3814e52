import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createOpenAiCompatible } from './openai-compatible.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server on loopback that answers every request with `answer`. */
async function aServer(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => answer(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const piece = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const asked = (signal = new AbortController().signal) => ({
  instructions: 'Be kind.',
  messages: [{ role: 'user' as const, content: 'Hello?' }],
  signal,
});

test('it tells how many tokens were used, where the server says so, once', async () => {
  const usage = (read: number, written: number) =>
    `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: read, completion_tokens: written } })}\n\n`;
  const baseUrl = await aServer((_request, response) =>
    response.end(`${piece('Hi')}${usage(20, 1)}${usage(20, 2)}data: [DONE]\n\n`),
  );
  const used: number[][] = [];
  const engine = createOpenAiCompatible({ baseUrl, model: 'small', apiKey: null });
  const onUsage = (...counts: number[]) => void used.push(counts);
  expect(await textOf(engine.stream({ ...asked(), onUsage }))).toBe('Hi');
  expect(used).toEqual([[20, 2]]);
});

async function textOf(stream: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of stream) text += part;
  return text;
}

test('it asks with model, key, instructions and messages', async () => {
  let seen: { url?: string; key?: string; body: unknown } = { body: null };
  const baseUrl = await aServer((request, response, body) => {
    seen = { url: request.url ?? '', key: request.headers.authorization ?? '', body: JSON.parse(body) };
    response.end(`${piece('Hi')}data: [DONE]\n\n`);
  });
  const engine = createOpenAiCompatible({ baseUrl: `${baseUrl}/`, model: 'small', apiKey: 'secret' });
  expect(await textOf(engine.stream(asked()))).toBe('Hi');
  expect(seen).toMatchObject({
    url: '/v1/chat/completions',
    key: 'Bearer secret',
    body: {
      model: 'small',
      stream: true,
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hello?' },
      ],
    },
  });
});

test('the text is whole wherever the bytes are cut', async () => {
  const bytes = Buffer.from(`: comment\r\n\r\n${piece('Grüße, ')}${piece('5 € and 😀')}data: [DONE]\n\n`);
  for (const size of [1, 2, 3, 7, 50]) {
    const baseUrl = await aServer(async (_, response) => {
      for (let at = 0; at < bytes.length; at += size) {
        response.write(bytes.subarray(at, at + size));
        if (at % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const engine = createOpenAiCompatible({ baseUrl, model: 'm', apiKey: null });
    expect(await textOf(engine.stream(asked())), `cut at ${size}`).toBe('Grüße, 5 € and 😀');
  }
});

test.each([
  [401, 'LLM_API_KEY', false],
  [404, 'LLM_MODEL', false],
  [429, 'busy', true],
  [500, 'problem', true],
  [400, 'refused', false],
])('status %i becomes a safe sentence', async (status, word, retryable) => {
  const baseUrl = await aServer((_, response) => {
    response.statusCode = status;
    response.end('internal detail with secret');
  });
  const engine = createOpenAiCompatible({ baseUrl, model: 'm', apiKey: 'secret' });
  const failure = await textOf(engine.stream(asked())).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'EngineError', retryable, message: expect.stringContaining(word) });
  expect(JSON.stringify(failure)).not.toContain('secret');
});

test('garbage, an error inside the stream and an empty answer are failures', async () => {
  for (const body of [
    'data: not json\n\n',
    'data: {"error":{"message":"boom"}}\n\n',
    'data: {"choices":"x"}\n\n',
    'data: [DONE]\n\n',
  ]) {
    const baseUrl = await aServer((_, response) => {
      response.end(body);
    });
    const engine = createOpenAiCompatible({ baseUrl, model: 'm', apiKey: null });
    await expect(textOf(engine.stream(asked())), body).rejects.toMatchObject({
      name: 'EngineError',
      retryable: true,
    });
  }
});

test('a server that names another one gets neither what was said nor the key sent there', async () => {
  let reached = 0;
  const elsewhere = await aServer((_, response) => {
    reached++;
    response.end(`${piece('Hi')}data: [DONE]\n\n`);
  });
  const baseUrl = await aServer((_, response) => {
    response.writeHead(307, { location: `${elsewhere}/chat/completions` }).end();
  });
  const engine = createOpenAiCompatible({ baseUrl, model: 'm', apiKey: 'secret' });
  await expect(textOf(engine.stream(asked()))).rejects.toMatchObject({ name: 'EngineError' });
  expect(reached).toBe(0);
});

test('a server that is not there is a retryable failure', async () => {
  const engine = createOpenAiCompatible({ baseUrl: 'http://127.0.0.1:1/v1', model: 'm', apiKey: null });
  await expect(textOf(engine.stream(asked()))).rejects.toMatchObject({
    name: 'EngineError',
    retryable: true,
  });
});

test('a server that hangs is given up, before the first piece and between two', async () => {
  for (const start of ['', piece('One')]) {
    const baseUrl = await aServer((_, response) => {
      response.write(start || ':\n');
    });
    const engine = createOpenAiCompatible({
      baseUrl,
      model: 'm',
      apiKey: null,
      firstTokenTimeout: 60,
      nextTokenTimeout: 60,
    });
    await expect(textOf(engine.stream(asked()))).rejects.toMatchObject({
      message: 'The language model took too long to answer.',
      retryable: true,
    });
  }
});

test('an abort closes the connection and rejects with the reason', async () => {
  let closed: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const baseUrl = await aServer((_, response) => {
    response.on('close', closed);
    response.write(piece('One'));
  });
  const controller = new AbortController();
  const reason = new Error('interrupted');
  const engine = createOpenAiCompatible({ baseUrl, model: 'm', apiKey: null });
  const reading = (async () => {
    for await (const _ of engine.stream(asked(controller.signal))) controller.abort(reason);
  })();
  await expect(reading).rejects.toBe(reason);
  await gone;
});

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { noAnswers, serveNoAnswer } from '../../../tests/support/no-answers.ts';
import type { CompletionEvent } from './contract.ts';
import { createModel } from './index.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server on loopback that gives every request the same `answer`. */
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
const done = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;
const asked = (signal = new AbortController().signal) => ({
  instructions: 'Be kind.',
  messages: [{ role: 'user' as const, content: 'Hello?' }],
  signal,
});

async function textOf(stream: AsyncIterable<CompletionEvent>): Promise<string> {
  let text = '';
  for await (const event of stream) if (event.type === 'text') text += event.text;
  return text;
}

test('it asks with model, key, instructions and messages', async () => {
  let seen: { url?: string; key?: string; body: unknown } = { body: null };
  const baseUrl = await aServer((request, response, body) => {
    seen = { url: request.url ?? '', key: request.headers.authorization ?? '', body: JSON.parse(body) };
    response.end(`${piece('Hi')}${done}`);
  });
  const engine = createModel({
    kind: 'openai',
    baseUrl: `${baseUrl}/`,
    model: 'small',
    apiKey: 'secret',
    checking: 'doubtful',
  });
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
  const bytes = Buffer.from(`: comment\r\n\r\n${piece('Grüße, ')}${piece('5 € and 😀')}${done}`);
  for (const size of [1, 2, 3, 7, 50]) {
    const baseUrl = await aServer(async (_, response) => {
      for (let at = 0; at < bytes.length; at += size) {
        response.write(bytes.subarray(at, at + size));
        if (at % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const engine = createModel({ kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' });
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
  const engine = createModel({ kind: 'openai', baseUrl, model: 'm', apiKey: 'secret', checking: 'doubtful' });
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
    const engine = createModel({ kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' });
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
  const engine = createModel({ kind: 'openai', baseUrl, model: 'm', apiKey: 'secret', checking: 'doubtful' });
  await expect(textOf(engine.stream(asked()))).rejects.toMatchObject({ name: 'EngineError' });
  expect(reached).toBe(0);
});

test('a server that is not there is a retryable failure', async () => {
  const engine = createModel({
    kind: 'openai',
    baseUrl: 'http://127.0.0.1:1/v1',
    model: 'm',
    apiKey: null,
    checking: 'doubtful',
  });
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
    const engine = createModel(
      { kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' },
      { firstPieceMs: 60, nextPieceMs: 60 },
    );
    await expect(textOf(engine.stream(asked()))).rejects.toMatchObject({
      message: 'The language model took too long to answer.',
      retryable: true,
    });
  }
});

test.each(noAnswers)('a server that %s is given up', async (way) => {
  const { host, close } = await serveNoAnswer(way);
  closers.push(close);
  const waits = { firstPieceMs: 200, nextPieceMs: 200 };
  for (const settings of [
    { kind: 'openai', baseUrl: `http://${host}/v1`, model: 'm', apiKey: null, checking: 'doubtful' },
    { kind: 'anthropic', baseUrl: `http://${host}/v1`, model: 'm', apiKey: 'k', checking: 'doubtful' },
  ] as const)
    await expect(textOf(createModel(settings, waits).stream(asked()))).rejects.toMatchObject({
      name: 'EngineError',
      retryable: true,
    });
});

test('a server that goes on for ever is given up in the end', async () => {
  const baseUrl = await aServer((_, response) => {
    const timer = setInterval(() => response.write(piece('a')), 20);
    response.on('close', () => clearInterval(timer));
  });
  const engine = createModel(
    { kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' },
    { allMs: 500 },
  );
  await expect(textOf(engine.stream(asked()))).rejects.toMatchObject({
    message: 'The language model took too long to answer.',
  });
});

test('the time that a listener takes is not the time of a server', async () => {
  const baseUrl = await aServer((_, response) => response.end(`${piece('One, ')}${piece('two')}${done}`));
  const engine = createModel(
    { kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' },
    { allMs: 2_000 },
  );
  let text = '';
  for await (const event of engine.stream(asked())) {
    if (event.type !== 'text') continue;
    text += event.text;
    await pause(1_500);
  }
  expect(text).toBe('One, two');
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
  const engine = createModel({ kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' });
  const reading = (async () => {
    for await (const _ of engine.stream(asked(controller.signal))) controller.abort(reason);
  })();
  await expect(reading).rejects.toBe(reason);
  await gone;
});

const line = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;

async function eventsOf(stream: AsyncIterable<CompletionEvent>): Promise<CompletionEvent[]> {
  const events: CompletionEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const lookUp = {
  name: 'look_up_order',
  description: 'Looks an order up.',
  input: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
};

test('it offers tools, tells what is called, what it took, and is told what came of a call', async () => {
  const bodies: unknown[] = [];
  const baseUrl = await aServer((_, response, body) => {
    bodies.push(JSON.parse(body));
    const call = (part: object) => line({ choices: [{ delta: { tool_calls: [{ index: 0, ...part }] } }] });
    response.end(
      [
        call({ id: 'c1', type: 'function', function: { name: 'look_up_order', arguments: '' } }),
        call({ function: { arguments: '{"number":' } }),
        call({ function: { arguments: '"4471"}' } }),
        line({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] }),
        line({ choices: [], usage: { prompt_tokens: 90, completion_tokens: 12, total_tokens: 102 } }),
        'data: [DONE]\n\n',
      ].join(''),
    );
  });
  const engine = createModel({ kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' });
  const call = { id: 'c1', name: 'look_up_order', input: '{"number":"4471"}' };
  expect(await eventsOf(engine.stream({ ...asked(), tools: [lookUp] }))).toEqual([
    { type: 'call', call },
    { type: 'end', reason: 'calls', usage: { input: 90, output: 12 } },
  ]);
  const messages = [
    { role: 'user' as const, content: 'Where is 4471?' },
    { role: 'assistant' as const, content: '', calls: [call] },
    { role: 'tool' as const, call, result: '{"status":"on its way"}' },
  ];
  await eventsOf(engine.stream({ ...asked(), messages, tools: [lookUp] }));
  expect(bodies).toMatchObject([
    { tools: [{ type: 'function', function: { name: 'look_up_order', parameters: lookUp.input } }] },
    {
      messages: [
        { role: 'system' },
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'look_up_order' } }] },
        { role: 'tool', tool_call_id: 'c1', content: '{"status":"on its way"}' },
      ],
    },
  ]);
});

test('an answer that was cut says so', async () => {
  const baseUrl = await aServer((_, response) => {
    response.end(
      `${piece('Well')}${line({ choices: [{ delta: {}, finish_reason: 'length' }] })}data: [DONE]\n\n`,
    );
  });
  const engine = createModel({ kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' });
  expect((await eventsOf(engine.stream(asked()))).at(-1)).toMatchObject({ type: 'end', reason: 'cut' });
});

test('an answer without an end is given up', async () => {
  const baseUrl = await aServer((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(`: ${'x'.repeat(60_000)}\n`));
    };
    response.on('drain', more);
    response.write(piece('One'));
    more();
  });
  const engine = createModel({ kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' });
  await expect(eventsOf(engine.stream(asked()))).rejects.toMatchObject({
    name: 'EngineError',
    retryable: true,
  });
});

test('a server that breaks off in the middle is a failure', async () => {
  const baseUrl = await aServer((_, response) => {
    response.write(piece('One'), () => setTimeout(() => response.destroy(), 20));
  });
  const engine = createModel({ kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' });
  const heard: CompletionEvent[] = [];
  const listening = (async () => {
    for await (const event of engine.stream(asked())) heard.push(event);
  })();
  await expect(listening).rejects.toMatchObject({ name: 'EngineError', retryable: true });
  expect(heard).toEqual([{ type: 'text', text: 'One' }]);
});

test('Anthropic is asked as it wants to be', async () => {
  let seen: { url?: string | undefined; key?: unknown; body: unknown } = { body: null };
  const baseUrl = await aServer((request, response, body) => {
    seen = { url: request.url, key: request.headers['x-api-key'], body: JSON.parse(body) };
    const event = (data: { type: string; [more: string]: unknown }) => `event: ${data.type}\n${line(data)}`;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(
      [
        event({
          type: 'message_start',
          message: {
            id: 'm1',
            type: 'message',
            role: 'assistant',
            model: 'claude-haiku-4-5',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: 31, output_tokens: 1 },
          },
        }),
        event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
        event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
        event({ type: 'content_block_stop', index: 0 }),
        event({
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: 5 },
        }),
        event({ type: 'message_stop' }),
      ].join(''),
    );
  });
  const engine = createModel({
    kind: 'anthropic',
    baseUrl,
    model: 'claude-haiku-4-5',
    apiKey: 'secret',
    checking: 'doubtful',
  });
  expect(await eventsOf(engine.stream(asked()))).toEqual([
    { type: 'text', text: 'Hi' },
    { type: 'end', reason: 'done', usage: { input: 31, output: 5 } },
  ]);
  expect(seen).toMatchObject({
    url: '/v1/messages',
    key: 'secret',
    body: { model: 'claude-haiku-4-5', stream: true, system: [{ type: 'text', text: 'Be kind.' }] },
  });
});

const reasoning = (content: string) => line({ choices: [{ delta: { reasoning_content: content } }] });

test('a model that reasons keeps the clock alive, and says when it does', async () => {
  const baseUrl = await aServer(async (_, response) => {
    for (let n = 0; n < 6; n++) {
      response.write(reasoning('hm'));
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    response.end(`${piece('Hi')}${done}`);
  });
  const engine = createModel(
    { kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' },
    { firstPieceMs: 200, nextPieceMs: 200, thinkingMs: 60_000 },
  );
  const events = await eventsOf(engine.stream(asked()));
  expect(events.filter(({ type }) => type === 'thinking').length).toBeGreaterThanOrEqual(6);
  expect(events.filter(({ type }) => type === 'text')).toEqual([{ type: 'text', text: 'Hi' }]);
  expect(engine.habits.thinks).toBe(true);
});

test('one that only reasons is given up after a while', async () => {
  const baseUrl = await aServer((_, response) => {
    const more = setInterval(() => response.write(reasoning('hm')), 20);
    response.on('close', () => clearInterval(more));
  });
  const engine = createModel(
    { kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' },
    { firstPieceMs: 100, nextPieceMs: 60_000, thinkingMs: 300 },
  );
  await expect(eventsOf(engine.stream(asked()))).rejects.toMatchObject({
    message: 'The language model took too long to answer.',
  });
});

/** Refusals in servers' own words, and the request that follows. */
test.each([
  [
    'OpenAI, a newer name',
    {
      error: {
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        type: 'invalid_request_error',
        param: 'max_tokens',
        code: 'unsupported_parameter',
      },
    },
    { max_tokens: undefined, max_completion_tokens: expect.any(Number) },
  ],
  [
    'OpenAI, a value',
    {
      error: {
        message:
          "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
        type: 'invalid_request_error',
        param: 'temperature',
        code: 'unsupported_value',
      },
    },
    { temperature: undefined, max_tokens: expect.any(Number) },
  ],
  [
    'vLLM',
    {
      object: 'error',
      message:
        "This model's maximum context length is 2048 tokens. However, you requested 4400 tokens (400 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    { max_tokens: undefined },
  ],
  [
    'Ollama',
    {
      error: {
        message: 'registry.ollama.ai/library/gemma:2b does not support tools',
        type: 'api_error',
        param: null,
        code: null,
      },
    },
    { tools: undefined, tool_choice: undefined },
  ],
  [
    'llama.cpp',
    { error: { code: 400, message: 'System role not supported', type: 'invalid_request_error' } },
    { messages: [{ role: 'user', content: expect.stringMatching(/^Be kind\.\n\nHello\?$/) }] },
  ],
])('a refused parameter is left out, and never sent again: %s', async (_, refusal, expected) => {
  const bodies: Record<string, unknown>[] = [];
  const baseUrl = await aServer((_request, response, body) => {
    bodies.push(JSON.parse(body));
    if (bodies.length > 1) response.end(`${piece('Hi')}${done}`);
    else response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
  });
  const engine = createModel({ kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' });
  const tools = [lookUp];
  expect(await textOf(engine.stream({ ...asked(), tools }))).toBe('Hi');
  expect(await textOf(engine.stream({ ...asked(), tools }))).toBe('Hi');
  expect(bodies).toHaveLength(3);
  for (const body of bodies.slice(1)) expect({ ...noneOf(expected), ...body }).toMatchObject(expected);
});

const noneOf = (expected: object) =>
  Object.fromEntries(Object.keys(expected).map((name) => [name, undefined]));

test('a refusal that names nothing that could be left out is one', async () => {
  let requests = 0;
  const baseUrl = await aServer((_, response) => {
    requests++;
    response.writeHead(400).end('{"error":{"message":"The model is too old.","param":"model"}}');
  });
  const engine = createModel({ kind: 'openai', baseUrl, model: 'm', apiKey: null, checking: 'doubtful' });
  await expect(textOf(engine.stream(asked()))).rejects.toMatchObject({
    message: 'The language model refused the request.',
  });
  expect(requests).toBe(1);
});

test('what is the same in each turn stands first, and Anthropic is told to keep it', async () => {
  const bodies: unknown[] = [];
  const baseUrl = await aServer((_, response, body) => {
    bodies.push(JSON.parse(body));
    response.writeHead(500).end();
  });
  const request = { ...asked(), knowledge: 'It is Monday.' };
  for (const kind of ['anthropic', 'openai'] as const) {
    const engine = createModel({ kind, baseUrl, model: 'm', apiKey: 'secret', checking: 'doubtful' });
    await textOf(engine.stream(request)).catch(() => {});
  }
  expect(bodies).toMatchObject([
    {
      system: [
        { type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'It is Monday.' },
      ],
    },
    { messages: [{ role: 'system', content: 'Be kind.\n\nIt is Monday.' }, { role: 'user' }] },
  ]);
});

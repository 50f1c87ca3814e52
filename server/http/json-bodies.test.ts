import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { memberIn } from '#server/lib/principal';
import { type LimiterFactory, memoryLimiters } from '#server/lib/rate-limits';
import { errorBodySchema } from '#shared/errors';
import { sentenceOf } from '#shared/refusals/refusal';
import { storable } from '#shared/storable';
import { aMember } from '../../tests/factories.ts';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { createHttpServer } from './server.ts';

let app: FastifyInstance;
afterEach(() => app.close());

/** A server whose `/api/texts` takes ten megabytes from any token, which is also the user's id. */
async function open(limiter: LimiterFactory | null = null) {
  app = await createHttpServer({
    config: { publicUrl: null, corsOrigins: [] },
    logger: capturedLogger().logger,
    authenticate: async (_id) => memberIn({ id: _id, user: aMember({ _id }) }),
    isAllowedOrigin: () => false,
    limiter,
  });
  const text = z.string();
  app.post('/api/texts', { bodyLimit: 10_000_000 }, async (request) => ({ got: typeof request.body }));
  app.post('/api/small', async (request) => ({ got: typeof request.body }));
  app.post(
    '/api/mended',
    { schema: { body: z.object({ a: text.overwrite(storable) }) } },
    async (request) => request.body,
  );
  app.post(
    '/api/own-sentence',
    {
      schema: {
        body: z.object({ a: text.refine((a) => !a.includes('\0'), sentenceOf('rooms.name-broken')) }),
      },
    },
    async (request) => request.body,
  );
}

const post = (url: string, body: string, id = 'ada') =>
  app.inject({
    method: 'POST',
    url,
    body,
    headers: { authorization: `Bearer ${id.replace(' ', '-')}`, 'content-type': 'application/json' },
  });

/** @returns counts how often the JSON parser got a body of this length */
function timesParsed(body: string): () => number {
  const parse = vi.spyOn(JSON, 'parse');
  return () => {
    const times = parse.mock.calls.filter(([text]) => String(text).length === body.length).length;
    parse.mockRestore();
    return times;
  };
}

describe('what is nested', () => {
  it.each([
    ['9,000 lists', `${'['.repeat(9_000)}${']'.repeat(9_000)}`],
    ['31,000 objects', `${'{"a":'.repeat(31_000)}1${'}'.repeat(31_000)}`],
    ['megabytes that are never closed', '['.repeat(9_900_000)],
    ['small objects without end', `[${'{},'.repeat(300_000)}{}]`],
    ['numbers without end', `[${'1,'.repeat(400_000)}1]`],
  ])('is refused before it is parsed: %s', async (_what, body) => {
    await open();
    const times = timesParsed(body);
    const response = await post('/api/texts', body);
    expect(times()).toBe(0);
    expect(response.statusCode).toBe(400);
    expect(errorBodySchema.parse(response.json())).toMatchObject({ code: 'invalid-json' });
  });

  it('is taken as far as anybody writes it, and so is a long text', async () => {
    await open();
    expect((await post('/api/texts', `${'['.repeat(60)}${']'.repeat(60)}`)).statusCode).toBe(200);
    const text = JSON.stringify({ title: 'Handbook', text: '客[{,"'.repeat(300_000) });
    expect((await post('/api/texts', text)).statusCode).toBe(200);
    const batch = JSON.stringify(Array.from({ length: 1_000 }, () => ({ title: 'a', text: 'b' })));
    expect((await post('/api/texts', batch)).statusCode).toBe(200);
  });
});

it('takes a quarter of a megabyte where a route says no more', async () => {
  await open();
  expect((await post('/api/small', JSON.stringify('x'.repeat(200_000)))).statusCode).toBe(200);
  expect((await post('/api/small', JSON.stringify('x'.repeat(300_000)))).statusCode).toBe(413);
});

describe('what is sent within a minute', () => {
  const text = JSON.stringify('x'.repeat(90_000));
  /** The real limits, a hundred times smaller, over an hour. */
  const small =
    (only: string): LimiterFactory =>
    (name, { count }) =>
      memoryLimiters(name, { count: name === only ? count / 100 : count, windowS: 3600 });

  it('by one account is refused beyond its share, before it is read, and others are served', async () => {
    await open(small('json-account'));
    for (let n = 0; n < 6; n++) expect((await post('/api/texts', text)).statusCode).toBe(200);
    const times = timesParsed(text);
    const refused = await post('/api/texts', text);
    expect(times()).toBe(0);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await post('/api/texts', text, 'bob')).statusCode).toBe(200);
  });

  it('by one address is counted over all accounts', async () => {
    await open(small('json-address'));
    const ask = async (n: number) => (await post('/api/texts', text, `account ${n}`)).statusCode;
    for (let n = 0; n < 26; n++) expect(await ask(n)).toBe(200);
    expect(await ask(26)).toBe(429);
  });

  it('is counted where nobody says how much it is', async () => {
    await open(small('json-account'));
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const ask = (body: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(Number(new URL(address).port), '127.0.0.1');
        socket.on('error', reject);
        let answer = '';
        socket.on('data', (data) => {
          answer += data;
        });
        socket.on('close', () => resolve(answer.slice(9, 12)));
        const head = [
          'POST /api/texts HTTP/1.1',
          'Host: x',
          'Authorization: Bearer ada',
          'Connection: close',
        ];
        const more = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
        const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
        socket.write(`${[...head, ...more].join('\r\n')}\r\n\r\n${chunk}`);
      });
    const body = JSON.stringify('x'.repeat(400_000));
    const times = timesParsed(body);
    expect([await ask(body), await ask(body)]).toEqual(['200', '429']);
    expect(times()).toBe(1);
  });
});

describe('a text that a database cannot hold', () => {
  it.each([
    ['NUL', '{"a":"x\\u0000"}'],
    ['the first half of a pair', '{"a":"\\ud800"}'],
    ['the second half of a pair', '{"a":{"b":["\\uDFFF"]}}'],
    ['halves in the wrong order', '{"a":"\\ude00\\ud83d"}'],
    ['one in a name', '{"\\ud800":1}'],
  ])('is refused in a sentence: %s', async (_what, body) => {
    await open();
    const response = await post('/api/texts', body);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ message: 'This text holds a character that cannot be stored.' });
  });

  it('is none where its characters are whole, or only look like it', async () => {
    await open();
    for (const body of ['{"a":"\\ud83d\\ude00"}', '{"a":"\\\\u0000 \\\\ud800"}'])
      expect((await post('/api/texts', body)).statusCode, body).toBe(200);
  });

  it('is mended where a schema mends it, and refused in its own words where a schema has some', async () => {
    await open();
    expect((await post('/api/mended', '{"a":"x\\u0000y\\ud800"}')).json()).toEqual({ a: 'xy\ufffd' });
    expect((await post('/api/own-sentence', '{"a":"\\u0000"}')).json()).toMatchObject({
      key: 'rooms.name-broken',
    });
  });
});

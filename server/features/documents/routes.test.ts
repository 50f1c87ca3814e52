import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OutsideRequest } from '#server/engines/outside/contract';
import { createFakeOutside } from '#server/engines/outside/fake';
import { agentSchema, type TriedReply } from '#shared/agents';
import { documentSchema, documentWithPassagesSchema, type KnowledgeDocument } from '#shared/documents';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';

const page = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body>${body}</body></html>`;
const xml = (body: string) => () =>
  new Response(`<?xml version="1.0"?>${body}`, { headers: { 'content-type': 'application/xml' } });

const aDraft = {
  name: 'Mia',
  companyName: 'Lamps',
  personality: 'Brisk.',
  companyInfo: 'We sell lamps.',
  prompts: [],
};

let hours = 'We are open from 9 am to 5 pm.';
const outside = createFakeOutside({
  'https://shop.example/hours': (_: OutsideRequest) =>
    new Response(page('Opening hours', `<h1>Hours</h1><p>${hours}</p>`), {
      headers: { 'content-type': 'text/html' },
    }),
  'https://shop.example/sitemap.xml': xml(
    '<urlset><url><loc>https://shop.example/hours</loc></url><url><loc>https://shop.example/gone</loc></url><url><loc>https://elsewhere.example/x</loc></url></urlset>',
  ),
  'https://shop.example/picture': () => new Response('x', { headers: { 'content-type': 'image/png' } }),
  'https://shop.example/locked': () => new Response('no', { status: 403 }),
});

let app: TestApp;
let token = '';
let agentId = '';
beforeAll(async () => {
  app = await openTestApp({
    engines: { outside },
    config: {
      publicUrl: null,
      corsOrigins: [],
      rateLimit: false,
      documents: { documents: 40, characters: 300_000 },
    },
  });
});
afterAll(() => app.close());
beforeEach(async () => {
  hours = 'We are open from 9 am to 5 pm.';
  ({ token, agentId } = await somebody());
});

async function somebody() {
  const { token } = await app.signUp({ email: `${crypto.randomUUID()}@sigma.example` });
  return { token, agentId: await newAgent(token) };
}
const newAgent = async (whose: string) =>
  agentSchema.parse((await app.as(whose, 'POST', '/api/agents', aDraft)).json())._id;

const at = (rest = '', agent = agentId) => `/api/agents/${agent}/documents${rest}`;
const add = async (body: object) => {
  const response = await app.as(token, 'POST', at(), body);
  expect(response.statusCode).toBe(201);
  return documentSchema.parse(response.json());
};
const get = async (id: string) =>
  documentWithPassagesSchema.parse((await app.as(token, 'GET', at(`/${id}`))).json());

function form(name: string, content: string | Uint8Array, field = 'file') {
  const head = `--x\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n--x--\r\n')]);
}
const upload = (
  name: string,
  content: string | Uint8Array,
  { method = 'POST' as 'POST' | 'PUT', url = at(), field = 'file' } = {},
) =>
  app.server.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
    body: form(name, content, field),
  });

/** Polls until the document is no longer being read. */
async function settled(id: string) {
  for (;;) {
    const document = await get(id);
    if (document.status !== 'indexing') return document;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
/** The agent's answer. */
const ask = async (message: string): Promise<TriedReply> => {
  return (
    await app.as(token, 'POST', '/api/agents/try', { agent: aDraft, agentId, message, voice: false })
  ).json();
};

const returns = { title: 'Returns policy', text: '# Returns\n\nYou can send a lamp back within 45 days.' };

describe('documents', () => {
  it('are read, and shown with their passages as the agent reads them', async () => {
    const added = await add(returns);
    expect(added).toMatchObject({
      title: 'Returns policy',
      kind: 'text',
      status: 'indexing',
      agentIds: [agentId],
    });
    const { status, passages } = await settled(added._id);
    expect(status).toBe('ready');
    expect(passages).toEqual([
      { _id: '0', heading: 'Returns', text: 'You can send a lamp back within 45 days.' },
    ]);
    const [listed] = documentSchema.array().parse((await app.as(token, 'GET', at())).json());
    expect((await app.as(token, 'GET', `/api/documents/${added._id}`)).json().passages).toEqual(passages);
    expect(listed).toMatchObject({
      _id: added._id,
      status: 'ready',
      passages: 1,
      characters: returns.text.length,
    });
  });

  it('are answered from, with the document as the source, and no longer once they are removed', async () => {
    const { _id } = await add(returns);
    await settled(_id);
    const answer = await ask('Within how many days can I send a lamp back?');
    expect(answer.message).toContain('45 days');
    expect(answer.citations).toEqual([
      {
        text: 'You can send a lamp back within 45 days.',
        source: 'Returns policy › Returns',
        documentId: _id,
      },
    ]);
    expect((await app.as(token, 'DELETE', at(`/${_id}`))).statusCode).toBe(204);
    expect((await app.as(token, 'GET', at(`/${_id}`))).statusCode).toBe(404);
    expect((await ask('Within how many days can I send a lamp back?')).message).not.toContain('45 days');
  });

  it('are files, named by what they say or are called', async () => {
    const response = await upload('C:\\care\\delivery terms.md', '# Delivery\n\nA parcel takes two days.');
    expect(response.statusCode).toBe(201);
    const document = documentSchema.parse(response.json());
    expect(document).toMatchObject({
      title: 'delivery terms',
      kind: 'markdown',
      source: 'delivery terms.md',
    });
    expect((await settled(document._id)).passages[0]?.text).toBe('A parcel takes two days.');
  });

  it('that cannot be read are kept with the sentence that says why', async () => {
    const document = documentSchema.parse((await upload('a.pdf', 'unreadable')).json());
    expect(document).toMatchObject({ status: 'failed', problem: 'This file is broken.' });
    expect(await settled(document._id)).toMatchObject({
      status: 'failed',
      problem: 'This file is broken.',
      passages: [],
    });
    expect((await app.as(token, 'POST', at(`/${document._id}/read-again`))).statusCode).toBe(409);
  });

  it('may come many at once', async () => {
    const documents = Array.from({ length: 30 }, (_, n) => ({
      title: `Article ${n}`,
      text: `Item ${n} costs ${n} euros.`,
    }));
    const response = await app.as(token, 'POST', at('/batch'), { documents });
    const added = documentSchema.array().parse(response.json());
    expect([response.statusCode, added.length]).toEqual([201, 30]);
    await settled(added[29]?._id ?? '');
    const listed: KnowledgeDocument[] = (await app.as(token, 'GET', at())).json();
    expect(new Set(listed.map(({ status }) => status))).toEqual(new Set(['ready']));
  });

  it('are replaced by a file or a text, and stay as they were when that cannot be read', async () => {
    const { _id } = await add(returns);
    await settled(_id);
    const url = at(`/${_id}`);
    expect((await upload('b.txt', 'unreadable', { method: 'PUT', url })).json()).toMatchObject({
      message: 'This file is broken.',
    });
    expect((await settled(_id)).passages[0]?.text).toContain('45 days');
    const replaced = await upload('b.txt', 'You can send a lamp back within 60 days.', {
      method: 'PUT',
      url,
    });
    expect(replaced.json()).toMatchObject({ _id, title: 'b', source: 'b.txt' });
    expect((await settled(_id)).passages[0]?.text).toContain('60 days');
    await app.as(token, 'PUT', url, { title: 'Terms', text: 'You can send a lamp back within 90 days.' });
    expect(await settled(_id)).toMatchObject({
      title: 'Terms',
      passages: [{ text: expect.stringContaining('90 days') }],
    });
  });

  it('are shared between agents, and deleted with the last that reads them', async () => {
    const { _id } = await add(returns);
    const other = await newAgent(token);
    const shared = await app.as(token, 'POST', at('', other), { documentId: _id });
    expect([...documentSchema.parse(shared.json()).agentIds].sort()).toEqual([agentId, other].sort());
    await app.as(token, 'DELETE', at(`/${_id}`));
    expect((await app.as(token, 'GET', at(`/${_id}`))).statusCode).toBe(404);
    expect((await app.as(token, 'GET', at(`/${_id}`, other))).statusCode).toBe(200);
    await app.as(token, 'DELETE', `/api/agents/${other}`);
    await expect.poll(async () => (await app.as(token, 'GET', '/api/documents')).json()).toEqual([]);
  });

  it('are their owner’s alone', async () => {
    const { _id } = await add(returns);
    const stranger = await somebody();
    const theirs = [
      ['GET', at()],
      ['GET', at(`/${_id}`)],
      ['GET', at(`/${_id}`, stranger.agentId)],
      ['GET', `/api/documents/${_id}`],
      ['POST', at()],
      ['POST', at('/batch')],
      ['PUT', at(`/${_id}`, stranger.agentId)],
      ['PATCH', at(`/${_id}`, stranger.agentId)],
      ['DELETE', at(`/${_id}`)],
      ['DELETE', at(`/${_id}`, stranger.agentId)],
      ['POST', at(`/${_id}/read-again`)],
    ] as const;
    for (const [method, url] of theirs) {
      const body = url.endsWith('batch')
        ? { documents: [returns] }
        : method === 'GET' || method === 'DELETE' || url.endsWith('again')
          ? undefined
          : returns;
      expect([method, url, (await app.as(stranger.token, method, url, body)).statusCode]).toEqual([
        method,
        url,
        404,
      ]);
    }
    const take = await app.as(stranger.token, 'POST', at('', stranger.agentId), { documentId: _id });
    expect(take.statusCode).toBe(404);
    expect((await app.as(stranger.token, 'GET', '/api/documents')).json()).toEqual([]);
    expect((await get(_id)).title).toBe('Returns policy');
  });

  it('are in the export of their owner', async () => {
    const { _id } = await add(returns);
    const archive = await app.as(token, 'GET', '/api/auth/export');
    expect(archive.body).toContain(`documents/${_id}.json`);
    expect(archive.body).toContain('You can send a lamp back within 45 days.');
  });

  it('are no more than an account may have', async () => {
    const large = { title: 'Large', text: `Some text. ${'x'.repeat(290_000)}` };
    await add(large);
    const response = await app.as(token, 'POST', at(), large);
    expect([response.statusCode, response.json().message]).toEqual([
      409,
      expect.stringContaining('This account can have 40 documents'),
    ]);
    const many = Array.from({ length: 40 }, () => returns);
    expect((await app.as(token, 'POST', at('/batch'), { documents: many })).statusCode).toBe(409);
  });

  it.each([
    [{ title: ' ', text: 'x' }, 'Give the document a title.'],
    [{ title: 'x', text: ' ' }, 'Write or paste a text first.'],
    [{ url: '' }, 'Write an address first.'],
    [{}, 'Send a form with a "file"'],
    [[], 'Send a form with a "file"'],
  ])('are refused with a sentence: %j', async (body, sentence) => {
    const response = await app.as(token, 'POST', at(), body);
    expect([response.statusCode, response.json().message]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it('are refused as forms that are none, and as files that are too large', async () => {
    expect((await upload('a.txt', 'x', { field: 'other' })).json().message).toBe('Send a file as "file".');
    const large = await upload('a.txt', new Uint8Array(25 * 1024 * 1024 + 10));
    expect([large.statusCode, large.json().message]).toEqual([
      413,
      'Use a file of at most 25 MB, or divide it.',
    ]);
  });

  it('are read beside parts of a form that nobody knows, however long', async () => {
    const nameless = `x: y\r\n\r\n${'x'.repeat(60_000)}`;
    const named = 'content-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nWe open at nine.';
    for (const parts of [[nameless], [nameless, named]]) {
      const response = await app.server.inject({
        method: 'POST',
        url: at('/preview'),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
        body: [...parts.map((part) => `--x\r\n${part}\r\n`), '--x--\r\n'].join(''),
      });
      expect(response.statusCode).toBe(parts.length === 1 ? 400 : 200);
    }
  });
});

describe('what is not added yet', () => {
  const preview = (body: object, agent = agentId) => app.as(token, 'POST', at('/preview', agent), body);
  afterEach(async () => {
    expect((await app.as(token, 'GET', at())).json()).toEqual([]);
  });

  it('is read as it would be, be it a file', async () => {
    const response = await upload('prices.md', '# Prices\n\nA lamp costs 20 dollars.', {
      url: at('/preview'),
    });
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        title: 'prices',
        kind: 'markdown',
        characters: expect.any(Number),
        passages: 1,
        parts: [{ title: null, text: expect.stringContaining('A lamp costs 20 dollars.') }],
      },
    ]);
  });

  it('is read as it would be, be it a page or all pages of a sitemap', async () => {
    expect((await preview({ url: 'shop.example/hours' })).json()).toMatchObject({
      title: 'Opening hours',
      kind: 'page',
      passages: 1,
      parts: [{ title: null, text: expect.stringContaining(hours) }],
    });
    expect((await preview({ url: 'https://shop.example/sitemap.xml' })).json()).toMatchObject({
      title: 'shop.example',
      parts: [{ title: 'Opening hours' }],
      problem: '1 of 2 pages could not be read.',
    });
  });

  it.each([
    [{ url: 'https://shop.example/locked' }, 'shop.example shows this page to people who sign in only.'],
    [{ url: 'https://nowhere.example/' }, 'nowhere.example was not found: check the address.'],
    [{ url: ' ' }, 'Write an address first.'],
    [{}, 'Send a form with a "file", or a "url".'],
  ])('has a sentence for what is wrong with it: %j', async (body, message) => {
    const response = await preview(body);
    expect([response.statusCode, response.json().message]).toEqual([400, message]);
  });

  it('has a sentence for a file in which nothing can be read', async () => {
    const response = await upload('empty.txt', '  ', { url: at('/preview') });
    expect([response.statusCode, response.json().message]).toEqual([400, expect.stringMatching(/\.$/)]);
  });

  it('is read for agents of one’s own alone', async () => {
    const stranger = await somebody();
    const url = 'https://shop.example/hours';
    expect((await preview({ url }, stranger.agentId)).statusCode).toBe(404);
    expect((await preview({ url }, 'none')).statusCode).toBe(404);
  });
});

describe('addresses', () => {
  it('are read in a moment, and again when told to', async () => {
    const { _id, ...added } = await add({ url: 'shop.example/hours' });
    expect(added).toMatchObject({ kind: 'page', status: 'indexing', source: 'https://shop.example/hours' });
    expect(await settled(_id)).toMatchObject({
      title: 'Opening hours',
      status: 'ready',
      passages: [{ heading: 'Hours', text: hours }],
    });
    hours = 'We are open from 10 am to 4 pm.';
    const again = await app.as(token, 'POST', at(`/${_id}/read-again`));
    expect([again.statusCode, again.json().status]).toEqual([202, 'indexing']);
    expect((await settled(_id)).passages[0]?.text).toBe(hours);
  });

  it('may be a sitemap, of which every page of its host is read', async () => {
    const { _id } = await add({ url: 'https://shop.example/sitemap.xml' });
    expect(await settled(_id)).toMatchObject({
      title: 'shop.example',
      status: 'ready',
      problem: '1 of 2 pages could not be read.',
      passages: [{ heading: 'Opening hours › Hours', text: hours }],
    });
    expect(outside.asked.map(({ url }) => url)).not.toContain('https://elsewhere.example/x');
  });

  it.each([
    ['https://nowhere.example/', 'nowhere.example was not found: check the address.'],
    ['https://shop.example/picture', 'shop.example sends no page or document that can be read there.'],
    ['https://shop.example/locked', 'shop.example shows this page to people who sign in only.'],
  ])('have a sentence for what is wrong with them: %s', async (url, problem) => {
    const { _id } = await add({ url });
    expect(await settled(_id)).toMatchObject({ status: 'failed', problem, passages: [] });
  });

  it('are read again by themselves where somebody wants it', async () => {
    const { _id } = await add({ url: 'https://shop.example/hours' });
    await settled(_id);
    const changed = await app.as(token, 'PATCH', at(`/${_id}`), { readEveryDays: 7, title: 'Hours' });
    expect(changed.json()).toMatchObject({ readEveryDays: 7, title: 'Hours' });
    await settled(_id);
    const never = await app.as(token, 'PATCH', at(`/${_id}`), { readEveryDays: null });
    expect(never.json()).not.toHaveProperty('readEveryDays');
    const text = await add(returns);
    expect((await app.as(token, 'PATCH', at(`/${text._id}`), { readEveryDays: 7 })).statusCode).toBe(400);
  });
});

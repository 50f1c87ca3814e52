import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  agents,
  conversations,
  messages,
  recordings,
  unansweredQuestions,
  users,
} from '#server/database/schema';
import { roleSchema, type SignedIn } from '#shared/accounts';
import { errorBodySchema } from '#shared/errors';
import { aConversation, aMessage, anAgent, anUnansweredQuestion } from '../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { routeRights } from '../../tests/support/who-may.ts';

/**
 * Every request to every described route gets an answer of the contract: no 5xx, and none of another account's data.
 * Requests are generated from the description, so a new route needs no line here.
 */

/** Part of all of Ada's data. */
const SECRET = 'xyzzy';

const operationSchema = z.looseObject({
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) })
    .partial()
    .optional(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).optional(),
});
const descriptionSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
type Schemas = z.infer<typeof descriptionSchema>['components']['schemas'];
const schemaSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  $ref: z.string().optional(),
});

/** A value that fits a schema, by type only. */
function fitting(schema: unknown, shared: Schemas): unknown {
  const { type, properties, items, anyOf, format, $ref, ...rest } = schemaSchema.parse(schema ?? {});
  if ($ref) return fitting(shared[$ref.split('/').at(-1) ?? ''], shared);
  if (rest.enum) return rest.enum[0];
  if (anyOf) return fitting(anyOf[0], shared);
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([k, each]) => [k, fitting(each, shared)]));
  if (type === 'array') return items ? [fitting(items, shared)] : [];
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'boolean') return true;
  if (format === 'email') return `${uuidv7()}@sigma.example`;
  return format === 'date-time' ? '2026-01-01T00:00:00Z' : 'a sound text of some length';
}

const nul = '\u0000'.repeat(8);
/** A value in every field that a route may know. */
function nested(depth: number): object {
  let deep: unknown = 'x';
  for (let n = 0; n < depth; n++) deep = { a: [deep] };
  return { name: deep, body: deep, values: deep, inputs: deep, prompts: deep, documents: deep };
}
const hostileBodies: unknown[] = [
  undefined,
  null,
  [],
  'text',
  0,
  {},
  { name: { toString: 'x' }, email: [], password: 1e308, prompts: {}, message: null },
  { name: nul, email: `${nul}@${nul}.com`, password: nul, companyName: nul, roomName: nul, answer: nul },
  { name: '\ud800', roomName: '\ud800', answer: '\udfff', companyInfo: '\ud800', message: '\ud800' },
  {
    title: '\ud800',
    text: '\ud800',
    code: '\ud800',
    values: { '\ud800': '\ud800' },
    inputs: { a: '\ud800' },
  },
  nested(1_000),
  { constructor: { prototype: { admin: true } } },
  Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`field${n}`, n])),
];
/** A well-formed id of nothing. */
const UNKNOWN_ID = '0190a6c4-7e2b-7c3a-9d5e-1f2a3b4c5d6e';
const hostileIds = [
  'x',
  '0',
  '../..',
  '%00',
  'a%00b',
  '%2e%2e%2f',
  "';--",
  '%',
  '%ff',
  '%5c',
  '%F0%9F%92%A3',
  UNKNOWN_ID,
  '00000000-0000-0000-0000-000000000000',
  'x'.repeat(400),
  'x'.repeat(600),
  '__proto__',
];
const hostileQueries = [
  '',
  'limit=x&cursor=%00&agentId[]=1&q=%FF&from=yesterday&for=everything&tz=Nowhere',
  'q=%00&agentId=%00&cursor=%00&sentiment=%00&outcome=%00&expires=%00&signature=%00&tz=%00&days=%00',
  'limit=1e9&days=-1&q=%F0%9F%92%A3&from=0000-00-00&to=9999-99-99T99:99:99Z',
  'limit=1&limit=2&q=a&q=b&cursor=0190a6c4-7e2b-7c3a-9d5e-1f2a3b4c5d6e',
  `q=${'x'.repeat(5_000)}`,
  "q='%20or%201=1;--&from=2026-02-30&tz=UTC%00",
  '__proto__[x]=1&constructor=1&expires=1e400&signature=x',
];
const hostileHeaders: Record<string, string>[] = [
  { authorization: 'Bearer' },
  { authorization: `Bearer ${'x'.repeat(4_000)}` },
  { authorization: 'Bearer a b' },
  { authorization: 'Basic YTpi' },
  { 'content-type': 'application/json; charset=nonsense' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'multipart/form-data; boundary=' },
  { 'content-type': 'text/plain' },
  { 'content-type': '' },
  { 'content-encoding': 'gzip' },
  { 'content-length': '-1' },
  { 'idempotency-key': ' ' },
  { 'idempotency-key': 'ü'.repeat(300) },
  { 'idempotency-key': 'same' },
  { range: 'bytes=99999999999999999999-' },
  { range: 'bytes=5-1,x' },
  { 'if-none-match': '*', 'if-range': '"x"', 'if-modified-since': 'never' },
  { accept: 'application/xml', 'accept-encoding': 'x', 'accept-language': '\t' },
  { origin: 'null' },
  { origin: 'https://evil.example.com', 'access-control-request-method': 'DELETE' },
  { host: '' },
  { host: 'evil.example.com:99999' },
  { 'x-forwarded-for': 'x, y', 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'gopher' },
  { 'x-http-method-override': 'DELETE', 'x-request-id': 'x'.repeat(5_000) },
  { cookie: `token=${'x'.repeat(8_000)}` },
  { expect: '100-continue', connection: 'upgrade', upgrade: 'x' },
];

interface Route {
  path: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body: unknown;
  isForOwners: boolean;
}

let app: TestApp;
let webAssets: string;
let owner: SignedIn;
let ada: { token: string; userId: string };
let adasIds: string[];
let routes: Map<string, Route>;
/** Ada's view of her data before the walk. */
let before: unknown[];

beforeAll(async () => {
  webAssets = await mkdtemp(join(tmpdir(), 'sigma-web-'));
  await writeFile(join(webAssets, 'index.html'), '<title>Sigma</title>');
  app = await openTestApp({ webAssets });
  // The first account owns the installation.
  owner = await app.signUp();
  const { token, user } = await app.signUp({ name: `Ada ${SECRET}` });
  ada = { token, userId: user._id };
  const agent = anAgent(user._id, { name: SECRET, companyInfo: `${SECRET} opens at nine.` });
  const conversation = aConversation(user._id, { title: SECRET, agentId: agent.id });
  const question = aMessage(conversation.id, { content: `${SECRET}?` });
  const reply = aMessage(conversation.id, { role: 'assistant', content: SECRET, replyTo: question.id });
  const recording = {
    id: uuidv7(),
    contactId: user._id,
    conversationId: conversation.id,
    messageId: question.id,
    mediaType: 'audio/wav',
    bytes: 8,
    speaker: 'customer' as const,
    transcript: SECRET,
    storageKey: uuidv7(),
  };
  const unanswered = anUnansweredQuestion(
    {
      messageId: question.id ?? '',
      conversationId: conversation.id,
      userId: user._id,
      replyId: reply.id ?? '',
    },
    { agentId: agent.id, question: `${SECRET}?` },
  );
  const { db } = app.database;
  await db.insert(agents).values(agent);
  await db.insert(conversations).values(conversation);
  await db.insert(messages).values([question, reply]);
  await db.insert(recordings).values(recording);
  await db.insert(unansweredQuestions).values(unanswered);
  adasIds = [user._id, agent.id, conversation.id, question.id ?? '', recording.id];

  const { paths, components } = descriptionSchema.parse(
    (await app.server.inject('/api/openapi.json')).json(),
  );
  routes = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { requestBody }]): [string, Route] => {
        const name = `${method.toUpperCase()} ${path}`;
        const body = fitting(requestBody?.content?.['application/json']?.schema, components.schemas);
        const isForOwners = routeRights[name]?.for === 'owners';
        return [name, { path, method: method.toUpperCase() as 'GET', body, isForOwners }];
      }),
    ),
  );
  before = await adasThings();
  expect(JSON.stringify(before)).toContain(SECRET);
});
afterAll(async () => {
  await app.close();
  await rm(webAssets, { recursive: true });
});

const idUrls = (path: string, ids: readonly string[]) =>
  path.includes('{') ? ids.map((id) => path.replaceAll(/\{\w+\}/g, id)) : [path];

interface Asked {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** The requester may see the members of the installation, including her name. */
  seesNames?: boolean;
}

/** Sends a request, and checks that the answer follows the contract and contains no data of Ada's. */
async function walk({ method, url, token, body, headers = {}, seesNames = false }: Asked): Promise<number> {
  const response = await app.server.inject({
    method,
    url,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const what = `${method} ${url} ${JSON.stringify(headers)} ${JSON.stringify(body)?.slice(0, 100)}: ${response.body.slice(0, 300)}`;
  expect(response.statusCode, what).toBeLessThan(500);
  expect(response.headers['x-request-id'], what).toBeDefined();
  expect(response.body.includes(SECRET), what).toBe(seesNames && response.body.includes(`Ada ${SECRET}`));
  const isOurs = url.startsWith('/api') && !url.startsWith('/api/docs');
  if (response.statusCode >= 400 && isOurs) errorBodySchema.parse(response.json());
  return response.statusCode;
}

/** All data that Ada sees of her own. */
const adasThings = async () => {
  const see = async (url: string) => (await app.as(ada.token, 'GET', url)).json();
  return [
    await see('/api/auth/me'),
    await see('/api/agents'),
    await see('/api/insights/unanswered'),
    await see('/api/preferences'),
    (await see('/api/conversations')).map((each: object) =>
      JSON.stringify(each).replaceAll(/\?expires[^"]*/g, ''),
    ),
  ];
};

/** Accounts of all roles in turn; owners' routes are requested by an owner whose data is not kept. */
async function accountFor({ isForOwners }: Route, place: number): Promise<string> {
  if (isForOwners) return owner.token;
  const { token, user } = await app.signUp();
  const role = roleSchema.options[place % roleSchema.options.length];
  await app.database.db.update(users).set({ role }).where(eq(users.id, user._id));
  return token;
}

/** Every described route by name: every-role.test.ts checks that none is missing. */
const routeNames = Object.keys(routeRights);
const routeOf = (name: string): Route => {
  const route = routes.get(name);
  if (!route) throw new Error(`${name} is not described`);
  return route;
};

describe('nobody and another account', () => {
  it.each(routeNames)(
    'get an answer of the contract and nothing of hers, whatever they ask of %s',
    async (name) => {
      const route = routeOf(name);
      const { path, method, body, isForOwners } = route;
      const token = await accountFor(route, routeNames.indexOf(name));
      const ids = path.includes('{') ? [...adasIds, ...hostileIds] : [''];
      for (const [place, id] of ids.entries()) {
        const [url = path] = idUrls(path, [id]);
        // every-role.test.ts covers owners' changes of members.
        const isSignedIn = path !== '/api/auth/logout' && !(isForOwners && adasIds.includes(id));
        const bodies =
          method === 'GET'
            ? [undefined]
            : place === 0 || id === UNKNOWN_ID
              ? [...hostileBodies, body]
              : [body];
        for (const each of bodies) {
          await walk({ method, url, body: each });
          if (isSignedIn) await walk({ method, url, body: each, token, seesNames: isForOwners });
        }
      }
      expect(await adasThings()).toEqual(before);
    },
  );

  it.each(routeNames.filter((name) => name.includes('{')))(
    'are answered her ids as if they did not exist by %s',
    async (name) => {
      const { path, method, body } = routeOf(name);
      const { token } = await app.signUp();
      for (const url of idUrls(path, adasIds)) {
        const status = await walk({ method, url, token, body: method === 'GET' ? undefined : body });
        expect([400, 403, 404, 413, 415], `${method} ${url}`).toContain(status);
      }
    },
  );

  it.each(routeNames)('get an answer of the contract for hostile queries and headers of %s', async (name) => {
    const route = routeOf(name);
    const { path, method, body, isForOwners: seesNames } = route;
    const token = await accountFor(route, routeNames.indexOf(name));
    const [url = path] = idUrls(path, seesNames ? [uuidv7()] : adasIds);
    const asked = { method, token, body: method === 'GET' ? undefined : body, seesNames };
    for (const query of hostileQueries) await walk({ ...asked, url: `${url}?${query}` });
    for (const headers of hostileHeaders) await walk({ ...asked, url, headers });
  });

  it.each([
    '/api/a%00b',
    '/a%00b',
    '/api/%',
    '/%',
    '/%ff',
    '/a%5cb',
    '/assets/..%5c..%5cpackage.json',
    '/..%2f..%2fetc%2fpasswd',
    '//evil.example.com/',
    '/api//agents',
    '/api/agents/',
    '/API/agents',
    '/api/agents;x=1',
    '/api/docs/%00',
    '/api/docs/static/%00',
    '/api/docs/static/..%2f..%2fpackage.json',
    '/api/openapi.json/x',
    `/${'x'.repeat(9_000)}`,
    `/api/${'x/'.repeat(3_000)}`,
    '/.env',
    '/.git/config',
    '/?%00',
    '/*',
  ])('get an answer of the contract at %.40s, with any method', async (url) => {
    const { token } = await app.signUp();
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const)
      for (const accept of ['text/html', '*/*', 'application/json'])
        await walk({ method, url, token, headers: { accept } });
  });
});

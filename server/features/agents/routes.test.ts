import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agents, conversations, messages } from '#server/database/schema';
import { type Agent, agentSchema, changedAgentSchema, MAX_AGENTS_PER_USER } from '#shared/agents';
import { aConversation, anAgent } from '../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';

let app: TestApp;
let token: string;
let userId: string;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const { token: newToken, user } = await app.signUp();
  [token, userId] = [newToken, user._id];
});

const draft = {
  name: 'Mia',
  companyName: 'Contoso Bikes',
  personality: 'Friendly and brief.',
  companyInfo: '# Opening hours\nWe are open from Monday to Friday, 9 am to 6 pm.',
  prompts: ['Always offer a test ride.'],
};
const missing = '018f0000-0000-7000-8000-000000000000';

const create = (body: object = draft, headers: Record<string, string> = {}) =>
  app.as(token, 'POST', '/api/agents', body, headers);
const created = async (body: object = draft): Promise<Agent> =>
  agentSchema.parse((await create(body)).json());
const change = (id: string, body: object) => app.as(token, 'PUT', `/api/agents/${id}`, body);
const list = async (of = token) => (await app.as(of, 'GET', '/api/agents')).json<Agent[]>();

describe('POST /api/agents', () => {
  it('creates an agent, which is then listed and found', async () => {
    const response = await create();
    expect(response.statusCode).toBe(201);
    const agent = agentSchema.strict().parse(response.json());
    expect(agent).toMatchObject(draft);
    expect(agent.createdAt).toBe(agent.updatedAt);
    expect(await list()).toEqual([agent]);
    expect((await app.as(token, 'GET', `/api/agents/${agent._id}`)).json()).toEqual(agent);
  });

  it('trims what was typed and drops blank prompts', async () => {
    const typed = {
      name: '  Mia ',
      companyName: '\tContoso Bikes\n',
      personality: ' Brief. ',
      companyInfo: '\n We rent bikes. \n',
      prompts: ['', '  ', ' Offer a test ride. ', '\n'],
    };
    expect(await created(typed)).toMatchObject({
      name: 'Mia',
      companyName: 'Contoso Bikes',
      personality: 'Brief.',
      companyInfo: 'We rent bikes.',
      prompts: ['Offer a test ride.'],
    });
  });

  it('needs no prompts', async () => {
    const { prompts: _, ...without } = draft;
    expect(await created(without)).toMatchObject({ prompts: [] });
  });

  it.each([
    ['name', 50, 'Enter a name for the agent.', 'Use a name of at most 50 characters.'],
    ['companyName', 100, 'Enter the name of the company.', 'Use a company name of at most 100 characters.'],
    [
      'personality',
      2_000,
      'Describe how the agent should speak.',
      'Use a personality of at most 2,000 characters.',
    ],
    [
      'companyInfo',
      200_000,
      'Enter what the agent should know about the company.',
      'Use company information of at most 200,000 characters.',
    ],
  ])(
    'takes a %s of up to %i characters, whatever their script, and no blank one',
    async (field, most, blank, tooLong) => {
      for (const character of ['x', 'ж', '語', '🙂']) {
        const longest = character.repeat(most);
        expect(await created({ ...draft, [field]: longest })).toMatchObject({ [field]: longest });
        const response = await create({ ...draft, [field]: `${longest}${character}` });
        expect(response.statusCode).toBe(400);
        expect(response.json()).toMatchObject({
          code: 'invalid-input',
          message: tooLong,
          fields: { [field]: tooLong },
        });
      }
      for (const nothing of ['', '   ', '\n\t', '\u0000'])
        expect((await create({ ...draft, [field]: nothing })).json()).toMatchObject({
          fields: { [field]: blank },
        });
      const response = await create(
        Object.fromEntries(Object.entries(draft).filter(([key]) => key !== field)),
      );
      expect(response.statusCode).toBe(400);
      expect(response.json().fields).toEqual({ [field]: `The field "${field}" is missing.` });
    },
  );

  it('speaks English unless a language is given, and goes on speaking it', async () => {
    expect((await created(draft)).language).toBe('en');
    const { _id, language } = await created({ ...draft, language: 'DE-at' });
    expect(language).toBe('de-AT');
    const renamed = { ...draft, name: 'Moritz' };
    expect((await change(_id, renamed)).json()).toMatchObject({ name: 'Moritz', language: 'de-AT' });
    expect((await change(_id, { ...renamed, language: 'en' })).json()).toMatchObject({ language: 'en' });
    expect((await create({ ...draft, language: 'German, please' })).json().fields).toEqual({
      language: 'Use a language tag such as en or de-AT.',
    });
  });

  it('takes 50 prompts of 4,000 characters, blank ones not counted', async () => {
    const longest = '🙂'.repeat(4_000);
    const most = Array.from({ length: 50 }, () => longest);
    expect((await created({ ...draft, prompts: [...most, ' ', ''] })).prompts).toEqual(most);
    expect((await create({ ...draft, prompts: [...most, 'x'] })).json()).toMatchObject({
      fields: { prompts: 'Use at most 50 prompts.' },
    });
    expect((await create({ ...draft, prompts: ['fine', `${longest}x`] })).json()).toMatchObject({
      code: 'invalid-input',
      message: 'Use a prompt of at most 4,000 characters.',
    });
  });

  it('takes everything at its longest at once, in characters of four bytes', async () => {
    const full = {
      name: '🙂'.repeat(50),
      companyName: '🙂'.repeat(100),
      personality: '🙂'.repeat(2_000),
      companyInfo: '🙂'.repeat(200_000),
      prompts: Array.from({ length: 50 }, () => '🙂'.repeat(4_000)),
    };
    expect(await created(full)).toMatchObject(full);
  });

  it('refuses a body that is too large with 413', async () => {
    const response = await create({ ...draft, companyInfo: 'x'.repeat(4_100_000) });
    expect(response.statusCode).toBe(413);
    expect(response.json()).toMatchObject({ code: 'payload-too-large' });
  });

  it('keeps HTML, right-to-left script and every other text as it is, as text', async () => {
    const texts = {
      name: '<b>Mia</b>',
      companyName: 'שלום & <script>alert(1)</script>',
      personality: 'مرحبا "quoted" \\ {x} %s',
      companyInfo: 'Ω ≈ ç √ 👩‍👩‍👧 \u202Ertl\u202C \u2028 line',
      prompts: ['<img src=x onerror=alert(1)>'],
    };
    expect(await created(texts)).toMatchObject(texts);
  });

  it('keeps what surrounds characters that no database can hold', async () => {
    const agent = await created({
      ...draft,
      companyInfo: 'Open\u0000 daily \ud800.',
      prompts: ['Be\u0000 kind \udc00'],
    });
    expect(agent).toMatchObject({ companyInfo: 'Open daily \ufffd.', prompts: ['Be kind \ufffd'] });
  });

  it('takes nothing of an id, an owner or times that a client sends along', async () => {
    const { user: stranger } = await app.signUp();
    const agent = await created({
      ...draft,
      _id: missing,
      userId: stranger._id,
      createdAt: '2001-01-01T00:00:00.000Z',
    });
    expect(agent._id).not.toBe(missing);
    expect(agent.createdAt > '2020').toBe(true);
    const [row] = await app.database.db.select().from(agents).where(eq(agents.id, agent._id));
    const { workspaceId } = (await app.as(token, 'GET', '/api/auth/me')).json();
    expect(row?.workspaceId).toBe(workspaceId);
  });

  it('creates once for the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const [first, second] = await Promise.all([create(draft, headers), create(draft, headers)]);
    expect(second.json()).toEqual(first.json());
    expect(await list()).toHaveLength(1);
    expect((await create({ ...draft, name: 'Another' }, headers)).statusCode).toBe(409);
  });

  it('lets a user have 50 agents, also when the last two are made at the same moment', async () => {
    await app.database.db
      .insert(agents)
      .values(Array.from({ length: MAX_AGENTS_PER_USER - 1 }, () => anAgent(userId)));
    const answers = await Promise.all([create(), create()]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json()).toMatchObject({
      code: 'conflict',
      message: 'Your workspace has 50 agents, which is the most it may have. Delete one to create another.',
    });
    expect(await list()).toHaveLength(MAX_AGENTS_PER_USER);
    const [newest] = await list();
    await app.as(token, 'DELETE', `/api/agents/${newest?._id}`);
    expect((await create()).statusCode).toBe(201);
  });
});

describe('GET /api/agents', () => {
  it('answers nobody else’s, newest first', async () => {
    const { user: stranger, token: strangersToken } = await app.signUp();
    await app.database.db.insert(agents).values(anAgent(stranger._id, { name: 'Foreign' }));
    await created({ ...draft, name: 'Older' });
    await created({ ...draft, name: 'Newer' });
    expect((await list()).map(({ name }) => name)).toEqual(['Newer', 'Older']);
    expect((await list(strangersToken)).map(({ name }) => name)).toEqual(['Foreign']);
  });
});

describe('PUT /api/agents/:id', () => {
  it('saves every field, trimmed, and names a new state of the agent', async () => {
    const agent = await created();
    const next = {
      name: ' Noor ',
      companyName: 'Fabrikam',
      personality: 'Calm.',
      companyInfo: 'Closed on Sundays.',
      prompts: [' ', 'Say hello.'],
    };
    const response = await change(agent._id, next);
    expect(response.statusCode).toBe(200);
    const saved = changedAgentSchema.strict().parse(response.json());
    expect(saved).toMatchObject({ ...next, name: 'Noor', prompts: ['Say hello.'] });
    expect(saved).toMatchObject({ _id: agent._id, createdAt: agent.createdAt });
    expect(saved.updatedAt > agent.updatedAt).toBe(true);
    expect(saved.replaced).toBeUndefined();
    expect(await list()).toEqual([saved]);
  });

  it('has the same rules as creating', async () => {
    const agent = await created();
    const response = await change(agent._id, { ...draft, name: ' ', companyInfo: 'x'.repeat(200_001) });
    expect(response.statusCode).toBe(400);
    expect(response.json().fields).toEqual({
      name: 'Enter a name for the agent.',
      companyInfo: 'Use company information of at most 200,000 characters.',
    });
    expect(await list()).toEqual([agent]);
  });

  it('lets the later of two saves count and hands back what it replaced', async () => {
    const agent = await created();
    const first = await change(agent._id, { ...draft, name: 'First', updatedAt: agent.updatedAt });
    const second = await change(agent._id, { ...draft, name: 'Second', updatedAt: agent.updatedAt });
    const { replaced, ...saved } = changedAgentSchema.parse(second.json());
    expect(replaced).toEqual(agentSchema.parse(first.json()));
    expect(await list()).toEqual([saved]);
    expect(saved.name).toBe('Second');
    const third = await change(agent._id, { ...draft, name: 'Third', updatedAt: saved.updatedAt });
    expect(third.json()).not.toHaveProperty('replaced');
  });

  it('replaces nothing when the same save comes twice', async () => {
    const agent = await created();
    const same = { ...draft, name: 'Same', updatedAt: agent.updatedAt };
    await change(agent._id, same);
    expect((await change(agent._id, same)).json()).not.toHaveProperty('replaced');
  });

  it('refuses a start that is no time', async () => {
    const agent = await created();
    expect((await change(agent._id, { ...draft, updatedAt: 'yesterday' })).json()).toMatchObject({
      fields: { updatedAt: 'Use the updatedAt that the server answered.' },
    });
  });

  it('keeps one version whole when many save at once', async () => {
    const agent = await created();
    const names = Array.from({ length: 8 }, (_, n) => `Name ${n}`);
    const answers = await Promise.all(
      names.map((name) =>
        change(agent._id, { ...draft, name, personality: name, updatedAt: agent.updatedAt }),
      ),
    );
    const saved = answers.map((answer) => changedAgentSchema.parse(answer.json()));
    expect(new Set(saved.map(({ updatedAt }) => updatedAt)).size).toBe(names.length);
    const [last] = await list();
    expect(last?.name).toBe(last?.personality);
    // Each replaced state is in one answer.
    const handedBack = saved.flatMap(({ replaced }) => (replaced ? [replaced.name] : []));
    expect([...handedBack, last?.name].sort()).toEqual(names.sort());
  });
});

describe('DELETE /api/agents/:id', () => {
  it('deletes the agent and keeps its past conversations with their agentId and title', async () => {
    const agent = await created();
    const talk = aConversation(userId, { agentId: agent._id, agentName: 'Mia', title: 'Opening Hours' });
    await app.database.db.insert(conversations).values(talk);
    const response = await app.as(token, 'DELETE', `/api/agents/${agent._id}`);
    expect([response.statusCode, response.json()]).toEqual([200, { message: 'The agent was deleted.' }]);
    expect(await list()).toEqual([]);
    const kept = await app.as(token, 'GET', `/api/conversations?agentId=${agent._id}`);
    expect(kept.json()).toMatchObject([{ _id: talk.id, agentId: agent._id, title: 'Opening Hours' }]);
  });

  it('answers every later use of the agent with a clear sentence', async () => {
    const agent = await created();
    await app.as(token, 'DELETE', `/api/agents/${agent._id}`);
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { ...draft, updatedAt: agent.updatedAt }],
      ['DELETE', undefined],
    ] as const) {
      const response = await app.as(token, method, `/api/agents/${agent._id}`, body);
      expect([response.statusCode, response.json().message]).toEqual([404, 'This agent does not exist.']);
    }
  });
});

describe('an id that is not theirs', () => {
  it.each(['GET', 'PUT', 'DELETE'] as const)(
    'answers %s alike, whether it is foreign, missing or malformed',
    async (method) => {
      const { user: stranger } = await app.signUp();
      const foreign = anAgent(stranger._id);
      await app.database.db.insert(agents).values(foreign);
      for (const id of [foreign.id, missing, 'x', "1'--", '%00', 'ü', `${missing}0`, 'demo']) {
        const url = `/api/agents/${encodeURIComponent(id)}`;
        const response = await app.as(token, method, url, method === 'PUT' ? draft : undefined);
        expect([response.statusCode, response.json()], id).toMatchObject([
          404,
          { message: 'This agent does not exist.', error: 'This agent does not exist.', code: 'not-found' },
        ]);
      }
      const rows = await app.database.db.select().from(agents).where(eq(agents.id, foreign.id));
      expect(rows).toMatchObject([{ name: foreign.name }]);
    },
  );

  it('is asked for with a token, or answers 401', async () => {
    for (const [method, url] of [
      ['GET', '/api/agents'],
      ['POST', '/api/agents'],
      ['POST', '/api/agents/try'],
      ['GET', `/api/agents/${missing}`],
      ['PUT', `/api/agents/${missing}`],
      ['DELETE', `/api/agents/${missing}`],
    ] as const)
      expect((await app.server.inject({ method, url })).statusCode, `${method} ${url}`).toBe(401);
  });
});

describe('POST /api/agents/try', () => {
  const attempt = (body: object) => app.as(token, 'POST', '/api/agents/try', body);

  it('says the welcome of an agent that was never saved', async () => {
    const response = await attempt({ agent: draft });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      message: expect.stringContaining('Contoso Bikes'),
      citations: [],
    });
    expect(response.json().audioType).toBe('audio/mpeg');
  });

  it('answers from the draft’s own information, with its source and its voice', async () => {
    const response = await attempt({ agent: draft, history: [], message: 'When are you open?' });
    const answer = response.json();
    expect(answer.message).toMatch(/9 am to 6 pm/);
    expect(answer.citations).toMatchObject([{ source: 'Opening hours' }]);
    expect(Buffer.from(answer.audioData, 'base64').toString()).toContain('9 am to 6 pm');
  });

  it('answers from the draft as it is now, after a change', async () => {
    const ask = (companyInfo: string) =>
      attempt({ agent: { ...draft, companyInfo }, message: 'When are you open?' });
    await ask('# Opening hours\nWe are open from Monday to Friday, 9 am to 6 pm.');
    const later = await ask('# Opening hours\nWe are open daily, 10 am to 4 pm.');
    expect(later.json().message).toMatch(/10 am to 4 pm/);
  });

  it('answers as text alone when asked to', async () => {
    expect(
      (await attempt({ agent: draft, message: 'When are you open?', voice: false })).json(),
    ).not.toHaveProperty('audioData');
  });

  it('stores nothing at all', async () => {
    await attempt({ agent: draft });
    await attempt({
      agent: draft,
      history: [{ role: 'assistant', content: 'Hello!' }],
      message: 'When are you open?',
    });
    const { db } = app.database;
    const { workspaceId } = (await app.as(token, 'GET', '/api/auth/me')).json();
    expect(await db.select().from(agents).where(eq(agents.workspaceId, workspaceId))).toEqual([]);
    expect(await db.select().from(conversations).where(eq(conversations.contactId, userId))).toEqual([]);
    expect(await db.select().from(messages)).toEqual([]);
  });

  it('refuses a draft, a message and a history beyond their bounds', async () => {
    const said = { role: 'user', content: 'Hello' };
    for (const [body, sentence] of [
      [{ agent: { ...draft, name: '' } }, 'Enter a name for the agent.'],
      [{ agent: draft, message: '  ' }, 'Write a message first.'],
      [{ agent: draft, message: 'x'.repeat(8_001) }, 'Use a message of at most 8,000 characters.'],
      [{ agent: draft, message: 'x', history: Array(41).fill(said) }, 'Send at most the last 40 messages.'],
      [
        { agent: draft, message: 'x', history: [{ ...said, content: 'x'.repeat(16_001) }] },
        'Use messages of at most 16,000 characters.',
      ],
      [
        { agent: draft, message: 'x', history: [{ ...said, role: 'system' }] },
        'Use the role user or assistant.',
      ],
    ] as const) {
      const response = await attempt(body);
      expect([response.statusCode, response.json().message]).toEqual([400, sentence]);
    }
  });
});

it('describes every route of agents', async () => {
  const { paths } = (await app.server.inject('/api/openapi.json')).json<{
    paths: Record<string, Record<string, { requestBody?: object; responses: Record<string, object> }>>;
  }>();
  const described = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/agents'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => [
        `${method} ${path}`,
        Object.keys(responses)[0],
      ]),
    );
  expect(Object.fromEntries(described)).toEqual({
    'get /api/agents': '200',
    'post /api/agents': '201',
    'get /api/agents/{id}': '200',
    'put /api/agents/{id}': '200',
    'delete /api/agents/{id}': '200',
    'post /api/agents/try': '200',
    'post /api/agents/{id}/effects': '200',
    'get /api/agents/{id}/versions': '200',
    'get /api/agents/{id}/versions/{version}': '200',
    'post /api/agents/{id}/versions/{version}/restore': '200',
    'post /api/agents/sayings': '200',
    'post /api/agents/writing-help': '200',
    'get /api/agents/{id}/actions': '200',
    'post /api/agents/{id}/actions': '201',
    'post /api/agents/{id}/actions/tools': '200',
    'put /api/agents/{id}/actions/{actionId}': '200',
    'delete /api/agents/{id}/actions/{actionId}': '204',
    'post /api/agents/{id}/actions/{actionId}/try': '200',
    'get /api/agents/{id}/documents': '200',
    'post /api/agents/{id}/documents': '201',
    'post /api/agents/{id}/documents/batch': '201',
    'post /api/agents/{id}/documents/preview': '200',
    'get /api/agents/{id}/documents/{documentId}': '200',
    'put /api/agents/{id}/documents/{documentId}': '200',
    'patch /api/agents/{id}/documents/{documentId}': '200',
    'delete /api/agents/{id}/documents/{documentId}': '204',
    'post /api/agents/{id}/documents/{documentId}/read-again': '202',
  });
});

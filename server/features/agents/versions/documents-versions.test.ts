import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agents, agentVersions, conversations } from '#server/database/schema';
import { createFakeOutside } from '#server/engines/outside/fake';
import { type AgentVersion, agentVersionSchema, wholeVersionSchema } from '#shared/agent-versions';
import { agentSchema } from '#shared/agents';
import { documentSchema, type KnowledgeDocument } from '#shared/documents';
import { aConversation, anActionDraft, anAgent } from '../../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';

let hours = '';
const outside = createFakeOutside({
  'https://shop.example/hours': () =>
    new Response(`<title>Hours</title><p>${hours}</p>`, { headers: { 'content-type': 'text/html' } }),
});

let app: TestApp;
let token: string;
let user: { _id: string; name: string };
let agentId: string;
beforeAll(async () => {
  app = await openTestApp({ engines: { outside } });
});
afterAll(() => app.close());
beforeEach(async () => {
  hours = 'We are open daily.';
  ({ token, user } = await app.signUp());
  agentId = await newAgent();
});

const draft = {
  name: 'Mia',
  companyName: 'Contoso Bikes',
  personality: 'Friendly.',
  companyInfo: 'We are open daily.',
  prompts: [],
};
const newAgent = async (): Promise<string> =>
  agentSchema.parse((await app.as(token, 'POST', '/api/agents', draft)).json())._id;

const send = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path = '', body?: object, of = agentId) => {
  const response = await app.as(token, method, `/api/agents/${of}/documents${path}`, body);
  expect(response.statusCode).toBeLessThan(300);
  return response.statusCode === 204 ? null : response.json();
};
const text = (title: string, about = title) => ({ title, text: `What is to be known of ${about}.` });
const add = async (title: string): Promise<string> => (await send('POST', '', text(title)))._id;
/** The agent's documents, newest first, once all of them are read. */
async function read(): Promise<KnowledgeDocument[]> {
  const all = async () =>
    documentSchema.array().parse((await app.as(token, 'GET', `/api/agents/${agentId}/documents`)).json());
  await expect
    .poll(async () => (await all()).every(({ status }) => status === 'ready'), { timeout: 10_000 })
    .toBe(true);
  return all();
}

const versionsOf = async (id = agentId): Promise<AgentVersion[]> =>
  agentVersionSchema.array().parse((await app.as(token, 'GET', `/api/agents/${id}/versions`)).json());
const numbersOf = async (id = agentId) => (await versionsOf(id)).map(({ version }) => version);
const documentsIn = async (version: number, id = agentId) =>
  wholeVersionSchema.parse((await app.as(token, 'GET', `/api/agents/${id}/versions/${version}`)).json())
    .content.documents;
const titlesIn = async (version: number, id = agentId) =>
  (await documentsIn(version, id)).map(({ title }) => title);

/** Starts a conversation with the current agent, so that the next change is another version. */
async function call(id = agentId): Promise<void> {
  const [now] = await versionsOf(id);
  await app.database.db
    .insert(conversations)
    .values(aConversation(user._id, { agentId: id, agentVersion: now?.version ?? null }));
}

describe('a change of documents', () => {
  it('is a version that tells who, when and what', async () => {
    await add('Returns');
    const [newest] = await versionsOf();
    expect(newest).toMatchObject({
      version: 2,
      by: { _id: user._id, name: user.name },
      changed: ['documents'],
    });
    expect(await titlesIn(1)).toEqual([]);
    expect(await titlesIn(2)).toEqual(['Returns']);
    const agent = (await app.as(token, 'GET', `/api/agents/${agentId}`)).json();
    expect(agent.version).toBe(2);
    // Replaces no text typed in a form meanwhile.
    expect(agent.updatedAt).toBe(agent.createdAt);
  });

  it('is one whichever way it comes: added, named, replaced, shared, detached', async () => {
    const id = await add('Returns');
    await call();
    await send('PATCH', `/${id}`, { title: 'Sending back' });
    await call();
    await send('PUT', `/${id}`, text('Sending back', 'something else'));
    await call();
    await send('DELETE', `/${id}`);
    expect((await versionsOf()).map(({ version, changed }) => [version, changed])).toEqual([
      [5, ['documents']],
      [4, ['documents']],
      [3, ['documents']],
      [2, ['documents']],
      [1, []],
    ]);
    expect(await documentsIn(3)).toEqual([{ _id: id, title: 'Sending back' }]);
    expect(await documentsIn(4)).toEqual([{ _id: id, title: 'Sending back', textSince: 4 }]);
    expect(await documentsIn(5)).toEqual([]);
  });

  it('is a version of each agent that reads the document, and of no other', async () => {
    const [other, third] = [await newAgent(), await newAgent()];
    const id = await add('Returns');
    await send('POST', '', { documentId: id }, other);
    expect(await titlesIn(2, other)).toEqual(['Returns']);
    for (const each of [agentId, other, third]) await call(each);
    await send('PUT', `/${id}`, text('Returns', 'something else'));
    expect([await numbersOf(), await numbersOf(other), await numbersOf(third)]).toEqual([
      [3, 2, 1],
      [3, 2, 1],
      [1],
    ]);
  });

  it('is none where nothing differs: shared twice, named as before, read again and found the same', async () => {
    const id = await add('Returns');
    await send('POST', '', { url: 'https://shop.example/hours' });
    const [page] = await read();
    await call();
    await send('POST', '', { documentId: id });
    await send('PATCH', `/${id}`, { title: 'Returns' });
    await send('PATCH', `/${page?._id}`, { readEveryDays: 7 });
    await send('POST', `/${page?._id}/read-again`);
    await read();
    expect(await numbersOf()).toEqual([2, 1]);
    hours = 'We are open on weekdays.';
    await send('POST', `/${page?._id}/read-again`);
    await read();
    expect(await numbersOf()).toEqual([3, 2, 1]);
    expect(await documentsIn(3)).toContainEqual({ _id: page?._id, title: 'Hours', textSince: 3 });
  });

  it('is told once: a save after it says what that save changed', async () => {
    const id = await add('Returns');
    await call();
    await send('PUT', `/${id}`, text('Returns', 'something else'));
    await app.as(token, 'PUT', `/api/agents/${agentId}`, { ...draft, name: 'Nora' });
    expect((await versionsOf())[0]).toMatchObject({ version: 4, changed: ['name'] });
    expect(await documentsIn(4)).toEqual([{ _id: id, title: 'Returns', textSince: 3 }]);
  });

  it('keeps first what an agent was that is older than versions', async () => {
    const old = anAgent(user._id, { id: crypto.randomUUID() });
    await app.database.db.insert(agents).values(old);
    await send('POST', '', text('Returns'), old.id ?? '');
    expect(await numbersOf(old.id)).toEqual([2, 1]);
    expect(await titlesIn(1, old.id)).toEqual([]);
  });
});

describe('changes of documents, one soon after the other', () => {
  it('are one version, which says what came of them', async () => {
    await Promise.all(['Returns', 'Parking', 'Repairs'].map(add));
    const gone = await add('Rentals');
    await send('DELETE', `/${gone}`);
    expect(await numbersOf()).toEqual([2, 1]);
    expect((await titlesIn(2)).sort()).toEqual(['Parking', 'Repairs', 'Returns']);
  });

  it('leave a version alone that a conversation remembers', async () => {
    await add('Returns');
    await call();
    await add('Parking');
    await add('Repairs');
    expect(await numbersOf()).toEqual([3, 2, 1]);
    expect(await titlesIn(2)).toEqual(['Returns']);
    expect((await titlesIn(3)).sort()).toEqual(['Parking', 'Repairs', 'Returns']);
  });

  it('join neither the version of a save nor what was changed beside them', async () => {
    await app.as(token, 'PUT', `/api/agents/${agentId}`, { ...draft, name: 'Nora' });
    await add('Returns');
    expect((await versionsOf())[0]).toMatchObject({ version: 3, changed: ['documents'] });
    await app.as(token, 'POST', `/api/agents/${agentId}/actions`, anActionDraft);
    await add('Parking');
    expect((await versionsOf()).map(({ version, changed }) => [version, changed])).toEqual([
      [5, ['documents']],
      [4, ['actions']],
      [3, ['documents']],
      [2, ['name']],
      [1, []],
    ]);
    expect(await titlesIn(3)).toEqual(['Returns']);
  });

  it('are another version after ten minutes', async () => {
    await add('Returns');
    await app.database.db
      .update(agentVersions)
      .set({ createdAt: new Date(Date.now() - 11 * 60_000) })
      .where(eq(agentVersions.agentId, agentId));
    await add('Parking');
    expect(await numbersOf()).toEqual([3, 2, 1]);
  });
});

describe('a change of actions', () => {
  const act = async (method: 'POST' | 'PUT' | 'DELETE', path = '', body?: object) => {
    const response = await app.as(token, method, `/api/agents/${agentId}/actions${path}`, body);
    expect(response.statusCode).toBeLessThan(300);
    return response.statusCode === 204 ? null : response.json();
  };
  const actionsIn = async (version: number) =>
    wholeVersionSchema.parse(
      (await app.as(token, 'GET', `/api/agents/${agentId}/versions/${version}`)).json(),
    ).content.actions;

  it('is a version whichever way it comes: added, named, written anew, deleted', async () => {
    const { _id, name } = await act('POST', '', anActionDraft);
    await call();
    await act('PUT', `/${_id}`, { ...anActionDraft, when: 'When somebody asks for something else' });
    await call();
    await act('DELETE', `/${_id}`);
    expect((await versionsOf()).map(({ version, changed }) => [version, changed])).toEqual([
      [4, ['actions']],
      [3, ['actions']],
      [2, ['actions']],
      [1, []],
    ]);
    expect(await actionsIn(2)).toEqual([{ _id, name }]);
    expect(await actionsIn(3)).toEqual([{ _id, name, textSince: 3 }]);
    expect(await actionsIn(4)).toEqual([]);
  });

  it('is none where nothing differs, and one with those just before it', async () => {
    const { _id } = await act('POST', '', anActionDraft);
    await act('PUT', `/${_id}`, anActionDraft);
    expect(await actionsIn(2)).toEqual([{ _id, name: anActionDraft.name }]);
    await act('POST', '', { ...anActionDraft, name: 'Another' });
    expect(await numbersOf()).toEqual([2, 1]);
    expect(await actionsIn(2)).toHaveLength(2);
  });
});

import { eq } from 'drizzle-orm';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agents, agentVersions } from '#server/database/schema';
import { type AgentVersion, agentVersionSchema, wholeVersionSchema } from '#shared/agent-versions';
import { type Agent, agentSchema } from '#shared/agents';
import { NEXT_CURSOR_HEADER } from '#shared/conversations';
import { anActionDraft, anAgent } from '../../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';

let app: TestApp;
let token: string;
let user: { _id: string; name: string };
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ token, user } = await app.signUp());
});

const draft = {
  name: 'Mia',
  companyName: 'Contoso Bikes',
  personality: 'Friendly.',
  companyInfo: 'We are open daily.',
  prompts: ['Offer a test ride.'],
};
const create = async (): Promise<Agent> =>
  agentSchema.parse((await app.as(token, 'POST', '/api/agents', draft)).json());
const save = async (id: string, change: object): Promise<Agent> =>
  agentSchema.parse((await app.as(token, 'PUT', `/api/agents/${id}`, { ...draft, ...change })).json());
const versionsOf = async (id: string, query = ''): Promise<AgentVersion[]> =>
  agentVersionSchema
    .strict()
    .array()
    .parse((await app.as(token, 'GET', `/api/agents/${id}/versions${query}`)).json());
const contentOf = async (id: string, version: number) =>
  wholeVersionSchema.parse((await app.as(token, 'GET', `/api/agents/${id}/versions/${version}`)).json())
    .content;
const addText = async (id: string, title: string): Promise<string> => {
  const text = { title, text: `What is to be known of ${title}.` };
  return (await app.as(token, 'POST', `/api/agents/${id}/documents`, text)).json()._id;
};
const restore = (id: string, version: number, as = token) =>
  app.as(as, 'POST', `/api/agents/${id}/versions/${version}/restore`);

describe('versions of an agent', () => {
  it('begin with its making, and tell of each save who, when and what', async () => {
    const agent = await create();
    expect(agent.version).toBe(1);
    const saved = await save(agent._id, { companyInfo: 'We are closed.', prompts: [] });
    expect(saved.version).toBe(2);
    const by = { _id: user._id, name: user.name };
    expect(await versionsOf(agent._id)).toEqual([
      { version: 2, createdAt: saved.updatedAt, by, changed: ['companyInfo', 'prompts'] },
      { version: 1, createdAt: agent.createdAt, by, changed: [] },
    ]);
    expect(await contentOf(agent._id, 1)).toEqual({
      ...draft,
      language: 'en',
      masks: ['payment', 'national-id'],
      documents: [],
      actions: [],
    });
    expect(await contentOf(agent._id, 2)).toMatchObject({ companyInfo: 'We are closed.', prompts: [] });
  });

  it('are not made by a save that changes nothing', async () => {
    const { _id } = await create();
    expect((await save(_id, {})).version).toBe(1);
    expect(await versionsOf(_id)).toHaveLength(1);
  });

  it('name the documents and actions that the agent had', async () => {
    const { _id } = await create();
    const returns = await addText(_id, 'Returns');
    await app.as(token, 'POST', `/api/agents/${_id}/actions`, anActionDraft);
    await save(_id, { name: 'Nora' });
    expect((await versionsOf(_id)).map(({ changed }) => changed)).toEqual([
      ['name'],
      ['actions'],
      ['documents'],
      [],
    ]);
    expect(await contentOf(_id, 4)).toMatchObject({
      documents: [{ _id: returns, title: 'Returns' }],
      actions: [{ name: 'Order status' }],
    });
  });

  it('are kept of an agent that had none when it is changed, what it was before first', async () => {
    const old = anAgent(user._id, { id: '018f0000-0000-7000-8000-00000000a9e1' });
    await app.database.db.insert(agents).values(old);
    await save(old.id ?? '', draft);
    expect((await versionsOf(old.id ?? '')).map(({ version }) => version)).toEqual([2, 1]);
    expect(await contentOf(old.id ?? '', 1)).toMatchObject({ companyInfo: old.companyInfo });
  });

  it('come page by page', async () => {
    const { _id } = await create();
    for (const name of ['B', 'C', 'D']) await save(_id, { name });
    const first = await app.as(token, 'GET', `/api/agents/${_id}/versions?limit=3`);
    const cursor = first.headers[NEXT_CURSOR_HEADER];
    expect(first.json().map(({ version }: AgentVersion) => version)).toEqual([4, 3, 2]);
    expect((await versionsOf(_id, `?limit=3&cursor=${cursor}`)).map(({ version }) => version)).toEqual([1]);
  });

  it('count one by one when several saves come at the same moment', async () => {
    const { _id } = await create();
    await Promise.all(['B', 'C', 'D', 'E'].map((name) => save(_id, { name })));
    expect((await versionsOf(_id)).map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
  });

  it('go with their agent', async () => {
    const { _id } = await create();
    await app.as(token, 'DELETE', `/api/agents/${_id}`);
    const left = await app.database.db.select().from(agentVersions).where(eq(agentVersions.agentId, _id));
    expect(left).toEqual([]);
  });
});

describe('going back to a version', () => {
  it('makes a new version with the old content, and answers the agent', async () => {
    const { _id } = await create();
    await save(_id, { companyInfo: 'We are closed.' });
    const response = await restore(_id, 1);
    const agent = agentSchema.parse(response.json());
    expect(agent).toMatchObject({ ...draft, version: 3 });
    expect((await app.as(token, 'GET', `/api/agents/${_id}`)).json()).toEqual(agent);
    expect(await versionsOf(_id)).toMatchObject([
      { version: 3, changed: ['companyInfo'], restoredFrom: 1 },
      { version: 2 },
      { version: 1 },
    ]);
    expect(await contentOf(_id, 2)).toMatchObject({ companyInfo: 'We are closed.' });
  });

  it('leaves documents as they are', async () => {
    const { _id } = await create();
    await save(_id, { name: 'Nora' });
    const text = { title: 'Returns', text: 'A bike can be sent back within 30 days.' };
    await app.as(token, 'POST', `/api/agents/${_id}/documents`, text);
    await restore(_id, 1);
    expect((await app.as(token, 'GET', `/api/agents/${_id}/documents`)).json()).toMatchObject([
      { title: 'Returns' },
    ]);
  });

  it('is answered alike for what is missing and what is somebody else’s', async () => {
    const { _id } = await create();
    const stranger = await app.signUp();
    for (const response of [
      await restore(_id, 9),
      await restore('x', 1),
      await restore(_id, 1, stranger.token),
      await app.as(stranger.token, 'GET', `/api/agents/${_id}/versions`),
      await app.as(stranger.token, 'GET', `/api/agents/${_id}/versions/1`),
    ])
      expect(response.statusCode).toBe(404);
    expect(await versionsOf(_id)).toHaveLength(1);
  });
});

it('a conversation remembers the version it began with', async () => {
  const { _id } = await create();
  await save(_id, { name: 'Nora' });
  const socket = io(await app.listen(), { auth: { token }, transports: ['websocket'] });
  try {
    const call = { userId: user._id, agentId: _id, voice: false };
    const { conversationId } = await socket.emitWithAck('start_conversation', call);
    await save(_id, { name: 'Ole' });
    const response = await app.as(token, 'GET', `/api/conversations/${conversationId}`);
    expect(response.json()).toMatchObject({ agentName: 'Nora', agentVersion: 2 });
  } finally {
    socket.disconnect();
  }
});

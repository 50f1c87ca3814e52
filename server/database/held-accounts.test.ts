import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ActionsRepository } from '#server/features/actions/repository';
import { AgentsRepository } from '#server/features/agents/repository';
import { keepAttachedChange } from '#server/features/agents/versions/repository';
import { DocumentsRepository } from '#server/features/documents/repository';
import { anActionDraft, anAgent, aScope, aUser } from '../../tests/factories.ts';
import { openTestDatabase, type TestDatabase } from '../../tests/support/test-database.ts';
import { actions, agents, documents, users } from './schema.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('leaves out what would act for an account that waits, until it waits no longer', async () => {
  const { db } = database;
  const user = aUser();
  const scope = aScope(user.id, user.workspaceId);
  const agent = anAgent(user.id);
  const [action, page, half] = [uuidv7(), uuidv7(), uuidv7()];
  const at = new Date();
  await db.insert(users).values(user);
  await db.insert(agents).values(agent);
  const { when, inputs, method, url, says, confirm, name } = { ...anActionDraft };
  await db.insert(actions).values({
    ...{ id: action, agentId: agent.id, workspaceId: user.workspaceId, name, when, url, says, confirm },
    inputs: inputs.map((input) => ({ ...input, type: 'digits' as const })),
    method: method === 'GET' ? 'GET' : 'POST',
    headerNames: [],
    sealedHeaders: '',
    createdAt: at,
  });
  const aPage = {
    workspaceId: user.workspaceId,
    title: 'Hours',
    kind: 'page' as const,
    source: 'https://shop.example/',
  };
  await db.insert(documents).values([
    { ...aPage, id: page, status: 'ready', readEveryDays: 1, createdAt: at, triedAt: new Date(0) },
    { ...aPage, id: half, status: 'indexing', createdAt: at },
  ]);
  const theirs = {
    actions: new ActionsRepository(db, keepAttachedChange),
    agents: new AgentsRepository(db),
    documents: new DocumentsRepository(db, keepAttachedChange),
  };
  const found = async () => ({
    agent: (await theirs.agents.find(scope, agent.id))?.id,
    actions: (await theirs.actions.list(scope, agent.id)).map(({ id }) => id),
    action: (await theirs.actions.find(scope, agent.id, action))?.id,
    page: (await theirs.documents.find(scope, page))?.id,
    whoWaits: await theirs.documents.whoWaits(at),
  });
  const all = { agent: agent.id, actions: [action], action, page, whoWaits: [user.workspaceId] };
  const hold = (heldAt: Date | null) => db.update(users).set({ heldAt }).where(eq(users.id, user.id));
  expect(await found()).toEqual(all);
  await hold(at);
  expect(await found()).toEqual({ actions: [], whoWaits: [] });
  await hold(null);
  expect(await found()).toEqual(all);
});

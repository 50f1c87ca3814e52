import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AgentProfile, Dialogue } from '#server/dialogue/contract';
import { createDialogue } from '#server/dialogue/respond';
import { AgentsRepository } from '#server/features/agents/repository';
import { AgentsService } from '#server/features/agents/service';
import type { Agent } from '#shared/agents';
import { aScope } from '../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';

const draft = {
  name: 'Mia',
  companyName: 'Contoso Bikes',
  language: 'en',
  personality: 'Friendly.',
  companyInfo: 'We are open daily.',
  prompts: [],
};
const prepared: AgentProfile[] = [];
/** Never resolves a preparation, so that a test which waits for it fails. */
let never = false;
let app: TestApp;

beforeAll(async () => {
  const real = createDialogue({ reading: null });
  const dialogue: Dialogue = {
    brain: real.brain,
    oneMoment: () => null,
    stillThere: (agent) => real.stillThere(agent),
    greet: (agent) => real.greet(agent),
    compare: (...asked) => real.compare(...asked),
    respond: (turn, signal) => real.respond(turn, signal),
    title: (agent, said) => real.title(agent, said),
    review: (agent, signal) => real.review(agent, signal),
    passagesOf: (...asked) => real.passagesOf(...asked),
    countPassages: (...asked) => real.countPassages(...asked),
    forget: (agent) => real.forget(agent),
    forgetAgent: (agentId) => real.forgetAgent(agentId),
    close: () => real.close(),
    prepare: async (agent) => {
      // The demo agent is prepared at the start.
      if (agent.id !== 'demo') prepared.push(agent);
      if (never) await new Promise(() => {});
      throw new Error('The index could not be made.');
    },
  };
  app = await openTestApp({ dialogue });
});
afterAll(() => app.close());

it('prepares each saved state of an agent once, and saving waits neither for it nor for its failure', async () => {
  const { token, user } = await app.signUp();
  const created = await app.as(token, 'POST', '/api/agents', draft);
  expect(created.statusCode).toBe(201);
  const { _id } = created.json<Agent>();
  never = true;
  const changed = await app.as(token, 'PUT', `/api/agents/${_id}`, { ...draft, companyInfo: 'Closed.' });
  expect(changed.statusCode).toBe(200);
  await app.as(token, 'GET', `/api/agents/${_id}`);
  expect(prepared.map(({ id, companyInfo }) => [id, companyInfo])).toEqual([
    [_id, 'We are open daily.'],
    [_id, 'Closed.'],
  ]);
  // A call must ask for exactly the state that was prepared.
  const service = new AgentsService(new AgentsRepository(app.database.db), draftProfile);
  expect(await service.profileFor(aScope(user._id, user.workspaceId), _id)).toEqual(prepared[1]);
  expect(app.logs().map(({ msg }) => msg)).toContain('an agent could not be indexed');
});

const draftProfile: AgentProfile = { ...draft, id: 'demo', revision: '1' };

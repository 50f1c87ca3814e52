import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { agents } from '#server/database/schema';
import { ConversationsRepository } from '#server/features/conversations/repository';
import { ConversationsService } from '#server/features/conversations/service';
import type { ContactScope } from '#server/lib/scope';
import type { Unanswered } from '#shared/insights';
import { anAgent, ownScope } from '../../../../tests/factories.ts';
import { FakeDialogue, sentencesOf } from '../../../../tests/support/scripted-engines.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';

let app: TestApp;
let said: ConversationsService;
let token: string;
let userId: string;
let scope: ContactScope;
let agentId: string;
beforeAll(async () => {
  const dialogue = new FakeDialogue();
  dialogue.answer = ({ agent, text }) => sentencesOf(agent.companyInfo.split(`### ${text}\n\n`)[1] ?? 'Hm.');
  app = await openTestApp({ dialogue });
  said = new ConversationsService(new ConversationsRepository(app.database.db));
});
afterAll(() => app.close());
beforeEach(async () => {
  const { token: newToken, user } = await app.signUp();
  [token, userId] = [newToken, user._id];
  scope = ownScope(user);
  const agent = anAgent(userId);
  agentId = agent.id;
  await app.database.db.insert(agents).values(agent);
});

async function declined(question: string, agent: string | null = agentId): Promise<string> {
  const face = { id: agent, name: 'Mia', companyName: 'Contoso' };
  const { conversation } = await said.create(scope, face, 'Hello');
  const { id } = await said.addUserMessage(scope, conversation.id, question, undefined);
  const reply = { responseId: uuidv7(), content: 'Sorry.', citations: [], interrupted: false };
  await said.addReply(scope, conversation.id, id, { ...reply, outcome: 'declined', question });
  return conversation.id;
}

const url = '/api/insights/unanswered';
const list = async (query = '') => (await app.as(token, 'GET', url + query)).json<Unanswered[]>();

it('lists, takes the answer, says how the agent answers now, and dismisses', async () => {
  expect(await list()).toEqual([]);
  const one = await declined('Do you ship to Norway?');
  const two = await declined('Gift vouchers?');
  const listed = await list();
  expect(listed.map(({ question, conversations }) => [question, conversations])).toEqual([
    ['Gift vouchers?', [two]],
    ['Do you ship to Norway?', [one]],
  ]);
  expect(await list('?limit=1')).toHaveLength(1);
  const [voucher, ship] = listed;
  const answered = await app.as(token, 'POST', `${url}/${ship?._id}/answer`, { answer: ' In 5 days. ' });
  expect([answered.statusCode, answered.json()]).toEqual([
    200,
    { message: 'In 5 days.', citations: [{ text: 'In 5 days.', source: 'Handbook' }], outcome: 'answered' },
  ]);
  const { companyInfo } = (await app.as(token, 'GET', `/api/agents/${agentId}`)).json();
  expect(companyInfo).toContain('### Do you ship to Norway?\n\nIn 5 days.');
  const gone = await app.as(token, 'DELETE', `${url}/${voucher?._id}`);
  expect([gone.statusCode, gone.body]).toEqual([204, '']);
  expect(await list()).toEqual([]);
});

it.each([
  ['POST', `${url}/x/answer`, { answer: 'Yes.' }, 404, 'not-found'],
  ['POST', `${url}/${uuidv7()}/answer`, { answer: 'Yes.' }, 404, 'not-found'],
  ['POST', `${url}/${uuidv7()}/answer`, { answer: ' ' }, 400, 'invalid-input'],
  ['POST', `${url}/${uuidv7()}/answer`, { answer: 'x'.repeat(4_001) }, 400, 'invalid-input'],
  ['POST', `${url}/${uuidv7()}/answer`, {}, 400, 'invalid-input'],
  ['DELETE', `${url}/x`, undefined, 404, 'not-found'],
  ['GET', `${url}?limit=0`, undefined, 400, 'invalid-input'],
  ['GET', `${url}?limit=101`, undefined, 400, 'invalid-input'],
] as const)('refuses %s %s', async (method, address, body, status, code) => {
  const response = await app.as(token, method, address, body);
  expect([response.statusCode, response.json().code]).toEqual([status, code]);
});

it('knows nothing of other people’s questions, and needs a sign-in', async () => {
  await declined('Do you ship to Norway?');
  const [mine] = await list();
  const { token: stranger } = await app.signUp();
  expect((await app.as(stranger, 'GET', url)).json()).toEqual([]);
  const answer = await app.as(stranger, 'POST', `${url}/${mine?._id}/answer`, { answer: 'Yes.' });
  const dismissal = await app.as(stranger, 'DELETE', `${url}/${mine?._id}`);
  expect([answer.statusCode, dismissal.statusCode]).toEqual([404, 404]);
  expect((await app.as('nobody', 'GET', url)).statusCode).toBe(401);
  expect(await list()).toHaveLength(1);
});

it('refuses to write into the demo agent', async () => {
  await declined('Do you ship to Norway?', null);
  const [demo] = await list();
  expect(demo).toMatchObject({ agentId: null });
  const response = await app.as(token, 'POST', `${url}/${demo?._id}/answer`, { answer: 'Yes.' });
  expect([response.statusCode, response.json().code]).toEqual([409, 'conflict']);
  expect(response.json().message).toBe(
    "The demo agent's information cannot be changed. Create an agent of your own to write answers.",
  );
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { conversations, messages } from '#server/database/schema';
import { wholeVersionSchema } from '#shared/agent-versions';
import { agentSchema, changedAgentSchema } from '#shared/agents';
import { effectSchema } from '#shared/effects';
import { aConversation, aMessage } from '../../../tests/factories.ts';
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
  personality: 'Friendly.',
  companyInfo: 'We are open daily.',
  prompts: ['Greet callers with "Contoso, hello!"', 'Never say "cheap".'],
};
const sayings = {
  greeting: 'Good morning, Contoso.',
  goodbye: 'Ride safely!',
  answers: [{ about: 'a discount', say: 'Our prices are the same for everybody.' }],
  neverSay: ['cheap', 'problem'],
  handOverWhen: ['an accident'],
};
const send = async (method: 'POST' | 'PUT', path: string, body: object) =>
  app.as(token, method, `/api/agents${path}`, body);
const create = async (body: object) => agentSchema.strict().parse((await send('POST', '', body)).json());
const save = async (id: string, body: object) =>
  changedAgentSchema.strict().parse((await send('PUT', `/${id}`, body)).json());
const versionOf = async (id: string, version: number) =>
  wholeVersionSchema.parse((await app.as(token, 'GET', `/api/agents/${id}/versions/${version}`)).json());
const welcomeOf = async (agent: object): Promise<string> =>
  (await send('POST', '/try', { agent, voice: false })).json().message;

describe('what an agent says', () => {
  it('is kept as it was written, trimmed and without what is blank', async () => {
    const agent = await create({
      ...draft,
      ...sayings,
      greeting: '  Good morning, Contoso. ',
      answers: [...sayings.answers, { about: ' ', say: '' }],
      neverSay: ['cheap', ' ', 'problem'],
    });
    expect(agent).toMatchObject(sayings);
    expect((await app.as(token, 'GET', `/api/agents/${agent._id}`)).json()).toEqual(agent);
  });

  it('is told by nothing where nobody decided it, as before there were fields for it', async () => {
    const agent = await create(draft);
    expect(Object.keys(agent)).not.toEqual(expect.arrayContaining(['greeting']));
    expect(await welcomeOf(draft)).toBe('Contoso, hello!');
  });

  it('stays as it was when a change leaves it out, and goes when it is sent blank', async () => {
    const { _id } = await create({ ...draft, ...sayings });
    expect(await save(_id, { ...draft, name: 'Nora' })).toMatchObject({ ...sayings, name: 'Nora' });
    const changed = await save(_id, { ...draft, greeting: '', neverSay: [] });
    expect(changed).toMatchObject({ ...sayings, greeting: '', neverSay: [] });
  });

  it('comes before what the prompts say', async () => {
    expect(await welcomeOf({ ...draft, ...sayings })).toBe(sayings.greeting);
    expect(await welcomeOf({ ...draft, ...sayings, greeting: '' })).not.toMatch(
      /Contoso, hello|Good morning/,
    );
  });

  it.each([
    [{ greeting: 'x'.repeat(1_001) }, 'greeting', 'Use a greeting of at most 1,000 characters.'],
    [{ goodbye: 'x'.repeat(1_001) }, 'goodbye', 'Use a goodbye of at most 1,000 characters.'],
    [{ answers: [{ about: 'prices', say: ' ' }] }, 'answers.0.say', 'Enter what the agent says.'],
    [{ answers: [{ about: '', say: 'No.' }] }, 'answers.0.about', 'Enter what customers ask about.'],
    [{ answers: Array.from({ length: 51 }, () => sayings.answers[0]) }, 'answers', 'Use at most 50 answers.'],
    [{ neverSay: ['x'.repeat(101)] }, 'neverSay.0', 'Use words of at most 100 characters, one to a line.'],
    [
      { handOverWhen: Array.from({ length: 51 }, () => 'a lawyer') },
      'handOverWhen',
      'Use at most 50 matters that are handed over.',
    ],
  ])('has bounds, each told in a sentence: %.60j', async (part, field, sentence) => {
    const response = await send('POST', '', { ...draft, ...part });
    expect(response.statusCode).toBe(400);
    expect(response.json().fields).toEqual({ [field]: sentence });
  });
});

describe('versions', () => {
  it('name each of the fields that changed, and none that only lies otherwise in the database', async () => {
    const { _id } = await create(draft);
    await save(_id, { ...draft, ...sayings });
    expect((await save(_id, { ...draft, ...sayings })).version).toBe(2);
    await save(_id, { ...draft, ...sayings, answers: [] });
    expect((await versionOf(_id, 2)).changed).toEqual(Object.keys(sayings));
    expect(await versionOf(_id, 2)).toMatchObject({ content: sayings });
    expect((await versionOf(_id, 3)).changed).toEqual(['answers']);
  });

  it('are gone back to with what was said then, also where nothing was decided', async () => {
    const { _id } = await create(draft);
    await save(_id, { ...draft, ...sayings });
    const restore = async (version: number) =>
      agentSchema.strict().parse((await send('POST', `/${_id}/versions/${version}/restore`, {})).json());
    expect(await restore(1)).not.toHaveProperty('greeting');
    expect(await restore(2)).toMatchObject(sayings);
  });
});

it('shows what a change of it would do', async () => {
  const { _id } = await create(draft);
  const talk = aConversation(userId, { agentId: _id, agentName: 'Mia' });
  const question = aMessage(talk.id, { content: 'Are you open daily?' });
  await app.database.db.insert(conversations).values(talk);
  await app.database.db
    .insert(messages)
    .values([question, aMessage(talk.id, { role: 'assistant', replyTo: question.id, outcome: 'answered' })]);
  const response = await send('POST', `/${_id}/effects`, { neverSay: ['daily'] });
  const effect = effectSchema.parse(response.json());
  expect(effect).toMatchObject({ asked: 1, changed: 1 });
  expect(effect.answers[0]?.before).toMatch(/daily/);
  expect(effect.answers[0]?.after).not.toMatch(/daily/);
});

it('reads in prompts what there are fields for', async () => {
  const prompts = [
    ...draft.prompts,
    'When asked about parking or the garage, say "There is a car park behind the shop."',
    'If a customer was injured, hand over to a colleague.',
    'Be brief.',
  ];
  expect((await send('POST', '/sayings', { prompts })).json()).toEqual({
    greeting: 'Contoso, hello!',
    goodbye: '',
    answers: [{ about: 'parking\nthe garage', say: 'There is a car park behind the shop.' }],
    neverSay: ['cheap'],
    handOverWhen: ['was injured'],
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignedIn } from '#shared/accounts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';

let app: TestApp;
let owner: SignedIn;
beforeAll(async () => {
  app = await openTestApp();
  owner = await app.signUp();
});
afterAll(() => app.close());

const make = async (changes: object = {}, by = owner) =>
  app.as(by.token, 'POST', '/api/keys', { name: 'The till', scopes: ['agents:read'], ...changes });
const listed = async (by = owner) => (await app.as(by.token, 'GET', '/api/keys')).json();

describe('a key', () => {
  it('opens what its scopes say, in its workspace, and nothing else', async () => {
    const { key, prefix } = (await make()).json();
    expect(key).toMatch(/^sk_[\w-]{43}$/);
    expect(key.startsWith(prefix)).toBe(true);
    const agents = await app.as(key, 'GET', '/api/agents');
    expect(agents.statusCode).toBe(200);
    const refused = await app.as(key, 'GET', '/api/contacts');
    expect(refused.statusCode).toBe(403);
    expect(refused.json().message).toContain('contacts:read');
    expect((await app.as(key, 'GET', '/api/keys')).statusCode).toBe(403);
    expect((await app.as(key, 'GET', '/api/auth/me')).statusCode).toBe(403);
    const stranger = await app.signUp();
    const theirs = (await make({}, stranger)).json();
    const agent = (
      await app.as(owner.token, 'POST', '/api/agents', {
        name: 'Mia',
        companyName: 'Acme',
        personality: 'Kind',
        companyInfo: 'We open at nine.',
      })
    ).json();
    expect((await app.as(key, 'GET', `/api/agents/${agent._id}`)).statusCode).toBe(200);
    expect((await app.as(theirs.key, 'GET', `/api/agents/${agent._id}`)).statusCode).toBe(404);
  });

  it('is told once and kept as a hash', async () => {
    const { key, _id } = (await make({ name: 'Once' })).json();
    const seen = await app.as(owner.token, 'GET', '/api/keys');
    expect(seen.body).not.toContain(key);
    const { rows } = await app.database.db.execute(`select * from api_keys where id = '${_id}'`);
    expect(JSON.stringify(rows)).not.toContain(key);
    expect(
      app
        .logs()
        .map((line) => JSON.stringify(line))
        .join('\n'),
    ).not.toContain(key);
  });

  it('says when it was used last', async () => {
    const { key, _id } = (await make({ name: 'Used' })).json();
    const find = async () => (await listed()).find((each: { _id: string }) => each._id === _id);
    expect((await find()).lastUsedAt).toBeUndefined();
    await app.as(key, 'GET', '/api/agents');
    expect(Date.parse((await find()).lastUsedAt)).not.toBeNaN();
  });

  it('opens nothing once it is deleted, or has expired', async () => {
    const { key, _id } = (await make()).json();
    expect((await app.as(owner.token, 'DELETE', `/api/keys/${_id}`)).statusCode).toBe(204);
    expect((await app.as(key, 'GET', '/api/agents')).statusCode).toBe(401);
    expect((await app.as(owner.token, 'DELETE', `/api/keys/${_id}`)).statusCode).toBe(404);
    const short = (await make({ expiresAt: new Date(Date.now() + 60_000).toISOString() })).json();
    await app.database.db.execute(
      `update api_keys set expires_at = now() - interval '1 second' where id = '${short._id}'`,
    );
    expect((await app.as(short.key, 'GET', '/api/agents')).statusCode).toBe(401);
  });

  it('is for owners alone', async () => {
    const supervisor = await app.join(owner, 'supervisor');
    for (const answer of [await make({}, supervisor), await app.as(supervisor.token, 'GET', '/api/keys')])
      expect(answer.statusCode).toBe(403);
  });

  it.each([
    ['no name', { name: ' ' }, 'Name the key after the program that will use it.'],
    ['no scope', { scopes: [] }, 'Choose at least one scope.'],
    ['an unknown scope', { scopes: ['everything'] }, 'Choose scopes from the list in the documentation.'],
    ['an expiry that is past', { expiresAt: '2020-01-01T00:00:00Z' }, 'Choose an expiry in the future.'],
  ])('with %s is refused in a sentence', async (_what, changes, sentence) => {
    const answer = await make(changes);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toBe(sentence);
  });

  it('stands in the security log when it is made and when it is deleted', async () => {
    const { _id } = (await make({ name: 'Logged' })).json();
    await app.as(owner.token, 'DELETE', `/api/keys/${_id}`);
    const log = (await app.as(owner.token, 'GET', '/api/audit')).body;
    expect(log).toContain('key made: Logged');
    expect(log).toContain('key deleted: Logged');
  });
});

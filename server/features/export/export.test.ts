import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actionRuns, conversations, identities, messages, modelUses } from '#server/database/schema';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import type { SignedIn } from '#shared/accounts';
import { aConversation, aMessage, anActionDraft } from '../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { aRecordingForm } from '../../../tests/support/uploads.ts';
import { type ArchiveFile, tarStream } from './tar-stream.ts';

const store = createFakeMediaStore();
let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await openTestApp({ engines: { mediaStore: store } });
});
afterAll(() => app.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sigma-export-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A user with an agent and conversations, with recordings in the first one. */
async function somebody(count = 1): Promise<{ who: SignedIn; conversationIds: string[] }> {
  const who = await app.signUp();
  const agent = {
    name: 'Mia',
    companyName: 'Contoso',
    personality: 'Brisk.',
    companyInfo: 'Open.',
    prompts: [],
  };
  await app.as(who.token, 'POST', '/api/agents', agent);
  const made = Array.from({ length: count }, () => aConversation(who.user._id));
  await app.database.db.insert(conversations).values(made);
  await app.database.db
    .insert(messages)
    .values(made.map(({ id }) => aMessage(id, { content: 'Hello there' })));
  const form = await aRecordingForm('Hello there');
  await app.server.inject({
    method: 'POST',
    url: `/api/conversations/${made[0]?.id}/audio`,
    headers: { ...form.headers, authorization: `Bearer ${who.token}` },
    payload: form.body,
  });
  return { who, conversationIds: made.map(({ id }) => id) };
}

/** Unpacks into `folder`. @returns the paths of all files in the archive */
async function unpack(archive: Uint8Array): Promise<string[]> {
  const file = join(folder, 'archive.tar');
  await writeFile(file, archive);
  await extract({ file, cwd: folder, strict: true });
  await rm(file);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
const read = async (path: string) => JSON.parse(await readFile(join(folder, path), 'utf8'));

describe('GET /api/auth/export', () => {
  it('gives everything of the user to take along, and nothing of anybody else', async () => {
    const { who, conversationIds } = await somebody();
    const other = await somebody();
    const [id] = conversationIds;
    const identity = { issuer: 'https://identity.example.com', subject: 'ada' };
    await app.database.db.insert(identities).values([
      { ...identity, userId: who.user._id },
      { ...identity, subject: 'bob', userId: other.who.user._id },
    ]);
    const response = await app.as(who.token, 'GET', '/api/auth/export');
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/x-tar']);
    expect(response.headers['content-disposition']).toMatch(/^attachment; filename="sigma-.*\.tar"$/);
    const files = await unpack(response.rawPayload);
    const recording = files.find((path) => path.startsWith('recordings/')) ?? '';
    expect(files).toEqual([
      'account.json',
      'agents.json',
      expect.stringMatching(/^agents\/[\w-]{36}\/versions\/1\.json$/),
      `conversations/${id}.json`,
      expect.stringMatching(new RegExp(`^recordings/${id}/[\\w-]{36}\\.wav$`)),
    ]);
    expect(await read('account.json')).toMatchObject({
      ...who.user,
      preferences: { keepRecordings: true },
      identities: [identity],
    });
    expect(await read('agents.json')).toEqual([expect.objectContaining({ companyInfo: 'Open.' })]);
    const [version = ''] = files.filter((path) => path.startsWith('agents/'));
    expect(await read(version)).toMatchObject({ version: 1, content: { companyInfo: 'Open.' } });
    const [message] = (await read(`conversations/${id}.json`)).messages;
    expect(message).toMatchObject({ role: 'user', content: 'Hello there', recording });
    expect(message).not.toHaveProperty('audioUrl');
    expect((await readFile(join(folder, recording))).subarray(0, 4).toString()).toBe('RIFF');
  });

  it('gives what agents can do, and what they did, without the secrets in it', async () => {
    const { who, conversationIds } = await somebody();
    const [agent] = (await app.as(who.token, 'GET', '/api/agents')).json();
    const headers = { authorization: 'Bearer of the shop' };
    const action = { ...anActionDraft, headers };
    const made = (await app.as(who.token, 'POST', `/api/agents/${agent._id}/actions`, action)).json();
    const [id = ''] = conversationIds;
    const run = {
      ...{ id: uuidv7(), conversationId: id, contactId: who.user._id, actionId: made._id, turnId: uuidv7() },
      ...{ name: action.name, key: 'once', inputs: { order: '4471' }, outcome: 'done' as const },
      ...{ said: 'It is on its way.', at: new Date(0) },
    };
    await app.database.db.insert(actionRuns).values(run);
    await unpack((await app.as(who.token, 'GET', '/api/auth/export')).rawPayload);
    const text = await readFile(join(folder, `agents/${agent._id}/actions.json`), 'utf8');
    expect(JSON.parse(text)).toMatchObject([{ name: action.name, headers: { authorization: null } }]);
    expect(text).not.toContain('of the shop');
    expect((await read(`conversations/${id}.json`)).actionRuns).toMatchObject([
      { name: action.name, inputs: { order: '4471' }, outcome: 'done' },
    ]);
  });

  it('tells what language models took, turn by turn', async () => {
    const { who, conversationIds } = await somebody(2);
    const [id = '', other = ''] = conversationIds;
    const use = { model: 'small', input: 900, output: 50, costMicros: 1_200 };
    const row = { ...use, id: uuidv7(), conversationId: id, contactId: who.user._id, at: new Date(0) };
    await app.database.db.insert(modelUses).values(row);
    await unpack((await app.as(who.token, 'GET', '/api/auth/export')).rawPayload);
    expect((await read(`conversations/${id}.json`)).modelUses).toEqual([
      { at: '1970-01-01T00:00:00.000Z', model: 'small', input: 900, output: 50, cost: 0.0012 },
    ]);
    expect(await read(`conversations/${other}.json`)).not.toHaveProperty('modelUses');
  });

  it('reads past the first page of conversations', async () => {
    const { who, conversationIds } = await somebody(45);
    const files = await unpack((await app.as(who.token, 'GET', '/api/auth/export')).rawPayload);
    expect(files.filter((path) => path.startsWith('conversations/'))).toHaveLength(conversationIds.length);
  });

  it('goes on without a recording whose bytes have gone', async () => {
    const { who } = await somebody();
    store.files.clear();
    const files = await unpack((await app.as(who.token, 'GET', '/api/auth/export')).rawPayload);
    expect(files.filter((path) => path.startsWith('recordings/'))).toEqual([]);
    expect(files).toContain('account.json');
  });

  it('stands in the security log, and is for people who are signed in', async () => {
    await app.database.empty();
    const { who } = await somebody();
    await app.as(who.token, 'GET', '/api/auth/export');
    const [newest] = (await app.as(who.token, 'GET', '/api/audit')).json();
    expect(newest).toMatchObject({ actor: who.user.email, action: 'exported' });
    expect((await app.server.inject('/api/auth/export')).statusCode).toBe(401);
  });
});

describe('an archive', () => {
  const at = new Date('2026-11-22T12:00:00Z');
  async function* one(file: ArchiveFile) {
    yield file;
  }

  it.each([0, 1, 511, 512, 513])('holds a file of %i bytes', async (size) => {
    const bytes = [Buffer.alloc(size, 'x')];
    const pieces: Uint8Array[] = [];
    for await (const piece of tarStream(one({ path: 'a/b.txt', at, size, bytes }))) pieces.push(piece);
    expect(await unpack(Buffer.concat(pieces))).toEqual(['a/b.txt']);
    expect((await readFile(join(folder, 'a/b.txt'))).byteLength).toBe(size);
  });

  it('breaks off rather than be wrong when a file is not as long as was said', async () => {
    const archive = tarStream(one({ path: 'a.txt', at, size: 4, bytes: [Buffer.from('abc')] }));
    await expect(
      (async () => {
        for await (const _piece of archive);
      })(),
    ).rejects.toThrow('another length');
  });
});

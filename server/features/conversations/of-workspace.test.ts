import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contacts, conversations, messages, recordings } from '#server/database/schema';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import type { SignedIn } from '#shared/accounts';
import type { ListedConversation } from '#shared/conversations';
import { aConversation, aMessage } from '../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';

/* Conversations of a whole workspace, as owners and supervisors see them, and the part that a member sees. */

const mediaStore = createFakeMediaStore();
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let cleo: SignedIn;
let stranger: SignedIn;
/** A visitor without an account. */
let vera: string;
/** Each person's conversation. */
let talks: Record<'adas' | 'bobs' | 'veras' | 'strangers', string>;

beforeAll(async () => {
  app = await openTestApp({ engines: { mediaStore } });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.empty();
  stranger = await app.signUp();
  ada = await app.signUp({ name: 'Ada', email: 'ada@example.com' });
  bob = await app.join(ada, 'supervisor', { name: 'Bob', email: 'bob@example.com' });
  cleo = await app.join(ada, 'member', { name: 'Cleo', email: 'cleo@example.com' });
  vera = uuidv7();
  const workspaceId = ada.user.workspaceId ?? '';
  const phone = '+1 555 0100';
  await app.database.db
    .insert(contacts)
    .values({ id: vera, workspaceId, name: 'Vera', phone, externalId: 'C-7' });
  talks = {
    adas: await aTalk(ada.user._id, {}, 'Where is my parcel?'),
    bobs: await aTalk(bob.user._id, { channel: 'page', state: 'ended' }, 'Do you ship to Norway?'),
    veras: await aTalk(
      vera,
      { workspaceId, channel: 'door', state: 'waiting', contact: { note: 'Call me.' } },
      'May I speak to a person?',
    ),
    strangers: await aTalk(stranger.user._id, {}, 'Where is my parcel?'),
  };
});

async function aTalk(
  of: string,
  changes: Parameters<typeof aConversation>[1],
  text: string,
): Promise<string> {
  const talk = aConversation(of, changes);
  await app.database.db.insert(conversations).values(talk);
  await app.database.db.insert(messages).values(aMessage(talk.id, { content: text }));
  return talk.id;
}

async function listed(who: SignedIn, query = ''): Promise<ListedConversation[]> {
  return (await app.as(who.token, 'GET', `/api/conversations?${query}`)).json();
}
const idsOf = async (who: SignedIn, query = '') => (await listed(who, query)).map(({ _id }) => _id).sort();
const sorted = (...ids: string[]) => ids.sort();

describe('GET /api/conversations?of=workspace', () => {
  it('is everybody’s in the workspace, and without it only one’s own', async () => {
    const { adas, bobs, veras } = talks;
    for (const who of [ada, bob]) expect(await idsOf(who, 'of=workspace')).toEqual(sorted(adas, bobs, veras));
    expect(await idsOf(ada)).toEqual([adas]);
    expect(await idsOf(stranger, 'of=workspace')).toEqual([talks.strangers]);
  });

  it('is not for members', async () => {
    const refused = await app.as(cleo.token, 'GET', '/api/conversations?of=workspace');
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'Only an owner or a supervisor of this workspace may do this.',
    ]);
    expect(await listed(cleo)).toEqual([]);
  });

  it('tells whom a conversation serves, with what they left, and who has it', async () => {
    await app.database.db.update(conversations).set({ assignedTo: bob.user._id });
    const all = await listed(ada, 'of=workspace&view=summary');
    expect(all.find(({ _id }) => _id === talks.veras)).toMatchObject({
      contact: {
        _id: vera,
        name: 'Vera',
        phone: '+1 555 0100',
        externalId: 'C-7',
        verified: false,
        note: 'Call me.',
      },
      ...{ channel: 'door', state: 'waiting', assignedTo: { _id: bob.user._id, name: 'Bob' } },
    });
    expect(all.find(({ _id }) => _id === talks.bobs)?.contact).toEqual({
      ...{ _id: bob.user._id, name: 'Bob', email: 'bob@example.com', verified: true },
    });
    expect(all.some(({ messages: said }) => said)).toBe(false);
    const [whole] = await listed(ada, `of=workspace&contactId=${vera}`);
    expect(whole?.messages).toMatchObject([{ content: 'May I speak to a person?' }]);
  });

  it('is narrowed by contact, channel, state and colleague', async () => {
    const { bobs, veras } = talks;
    const narrowed = (filter: string) => idsOf(ada, `of=workspace&${filter}`);
    expect(await narrowed(`contactId=${vera}`)).toEqual([veras]);
    expect(await narrowed('channel=door')).toEqual([veras]);
    expect(await narrowed('state=ended')).toEqual([bobs]);
    expect(await narrowed(`assignedTo=${bob.user._id}`)).toEqual([]);
    for (const filter of ['contactId=x', `contactId=${stranger.user._id}`, 'assignedTo=x'])
      expect(await narrowed(filter)).toEqual([]);
    for (const filter of ['channel=pigeon', 'state=asleep', 'of=everybody'])
      expect((await app.as(ada.token, 'GET', `/api/conversations?${filter}`)).statusCode).toBe(400);
  });

  it('is searched, and finds nothing of other workspaces', async () => {
    expect(await idsOf(ada, 'of=workspace&q=norway')).toEqual([talks.bobs]);
    expect(await idsOf(bob, 'of=workspace&q=parcel')).toEqual([talks.adas]);
  });
});

describe('one conversation', () => {
  const statusFor = async (who: SignedIn, id: string) =>
    (await app.as(who.token, 'GET', `/api/conversations/${id}`)).statusCode;

  it('is seen by supervisors, and by the member to whom it is assigned', async () => {
    const { veras } = talks;
    const seen = (await app.as(bob.token, 'GET', `/api/conversations/${veras}`)).json();
    expect(seen).toMatchObject({ contact: { name: 'Vera' }, messages: [{ content: expect.any(String) }] });
    expect([await statusFor(cleo, veras), await statusFor(stranger, veras)]).toEqual([404, 404]);
    await app.database.db.update(conversations).set({ assignedTo: cleo.user._id });
    expect([await statusFor(cleo, veras), await statusFor(stranger, veras)]).toEqual([200, 404]);
  });

  it('is answered as ever to whose it is', async () => {
    const own = (await app.as(ada.token, 'GET', `/api/conversations/${talks.adas}`)).json();
    expect(own).toMatchObject({ _id: talks.adas, channel: 'simulator', state: 'open' });
    expect(own).not.toHaveProperty('contact');
  });
});

describe('the sound of a conversation', () => {
  /** An utterance of Vera's, with a recording. */
  async function aRecording(): Promise<void> {
    const [said] = await app.database.db
      .select({ id: messages.id })
      .from(messages)
      .where(eq(messages.conversationId, talks.veras));
    const storageKey = uuidv7();
    await mediaStore.put(storageKey, Readable.from([Buffer.from('sound')]), { mediaType: 'audio/wav' });
    await app.database.db.insert(recordings).values({
      ...{ id: uuidv7(), contactId: vera, conversationId: talks.veras, messageId: said?.id, storageKey },
      ...{ speaker: 'customer', mediaType: 'audio/wav', bytes: 5, durationMs: 1_000 },
    });
  }
  const linkFor = async (who: SignedIn, url = `/api/conversations/${talks.veras}`): Promise<string> => {
    const seen = (await app.as(who.token, 'GET', url)).json();
    const [whole] = Array.isArray(seen)
      ? seen.filter(({ _id }: ListedConversation) => _id === talks.veras)
      : [seen];
    return whole.messages[0].audioUrl;
  };
  const play = async (url: string) => {
    const { statusCode, body } = await app.server.inject(url);
    return statusCode === 200 ? body : statusCode;
  };
  const assignTo = (who: SignedIn | null) =>
    app.database.db.update(conversations).set({ assignedTo: who?.user._id ?? null });

  it('is heard by supervisors, in one and in the list of all, as long as they may see it', async () => {
    await aRecording();
    const links = [
      await linkFor(bob),
      await linkFor(bob, '/api/conversations?of=workspace'),
      await linkFor(ada, `/api/conversations?of=workspace&contactId=${vera}`),
    ];
    for (const link of links) expect(await play(link)).toBe('sound');
    const path = links[0]?.split('?')[0] ?? '';
    expect((await app.as(bob.token, 'GET', path)).body).toBe('sound');
    for (const who of [cleo, stranger]) expect((await app.as(who.token, 'GET', path)).statusCode).toBe(404);
    await app.as(ada.token, 'PUT', `/api/members/${bob.user._id}`, { role: 'member' });
    expect(await Promise.all(links.map(play))).toEqual([403, 403, 'sound']);
  });

  it('is heard by the member who has it, until somebody else has', async () => {
    await aRecording();
    await assignTo(cleo);
    const link = await linkFor(cleo);
    const listed = await linkFor(cleo, `/api/conversations?of=workspace&assignedTo=${cleo.user._id}`);
    expect([await play(link), await play(listed)]).toEqual(['sound', 'sound']);
    await assignTo(bob);
    expect([await play(link), await play(listed)]).toEqual([403, 403]);
  });

  it('is bound to the sessions of whom its link was made for, and to nobody else’s', async () => {
    await aRecording();
    const [adas, bobs] = [await linkFor(ada), await linkFor(bob)];
    const asAda = bobs.replace(bob.user._id, ada.user._id);
    expect([await play(asAda), await play(bobs.replace(/&viewer=.*/, ''))]).toEqual([403, 403]);
    await app.as(bob.token, 'POST', '/api/auth/logout');
    expect([await play(bobs), await play(adas)]).toEqual([403, 'sound']);
  });
});

describe('contacts', () => {
  it('are those of the workspace, found by what is known of them', async () => {
    const found = async (who: SignedIn, q = '') =>
      (await app.as(who.token, 'GET', `/api/contacts?q=${encodeURIComponent(q)}`))
        .json()
        .map(({ name }: { name: string }) => name)
        .sort();
    expect(await found(bob)).toEqual(['Ada', 'Bob', 'Cleo', 'Vera']);
    expect([await found(ada, 'C-7'), await found(ada, '555'), await found(ada, 'EXAMPLE.com')]).toEqual([
      ['Vera'],
      ['Vera'],
      ['Ada', 'Bob', 'Cleo'],
    ]);
    expect(await found(ada, '%')).toEqual([]);
    const first = await app.as(ada.token, 'GET', '/api/contacts?limit=3');
    const rest = await app.as(ada.token, 'GET', `/api/contacts?cursor=${first.headers['x-next-cursor']}`);
    expect([first.json().length, rest.json().length]).toEqual([3, 1]);
  });

  it('come with their conversations', async () => {
    const contact = (await app.as(ada.token, 'GET', `/api/contacts/${vera}`)).json();
    expect(contact).toMatchObject({ name: 'Vera', conversations: [{ _id: talks.veras, channel: 'door' }] });
    expect((await app.as(stranger.token, 'GET', `/api/contacts/${vera}`)).statusCode).toBe(404);
  });

  it('are erased with all that they said, but for members', async () => {
    const erase = (who: SignedIn, id: string) => app.as(who.token, 'DELETE', `/api/contacts/${id}`);
    expect((await erase(stranger, vera)).statusCode).toBe(404);
    expect((await erase(cleo, vera)).statusCode).toBe(403);
    expect((await erase(bob, vera)).statusCode).toBe(204);
    expect(await idsOf(ada, 'of=workspace')).toEqual(sorted(talks.adas, talks.bobs));
    const refused = await erase(ada, bob.user._id);
    expect([refused.statusCode, refused.json().message]).toEqual([
      409,
      'This contact is a member of the workspace. Remove the member instead.',
    ]);
  });
});

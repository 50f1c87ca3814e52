import { io, type Socket } from 'socket.io-client';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { agents, contacts, conversations } from '#server/database/schema';
import { createFakeRooms } from '#server/engines/rooms/fake';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import type { Principal } from '#server/lib/principal';
import type { SignedIn } from '#shared/accounts';
import type { KeyScope } from '#shared/keys';
import type { ClientToServerEvents } from '#shared/realtime';
import { aConversation, anAgent, ownScope } from '../../tests/factories.ts';
import { SECRET, type Somebody, somebodyIn } from '../../tests/support/somebody.ts';
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { aRecordingForm } from '../../tests/support/uploads.ts';
import { keyRoutes, routeRights } from '../../tests/support/who-may.ts';

/* Visitors and keys at every route and every event: a route or an event that does not say it serves them answers them nothing. */

const methodSchema = z.enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']);
const everyScope: KeyScope[] = [
  ...(['agents:read', 'agents:write', 'documents:read', 'documents:write'] as const),
  ...(['conversations:read', 'conversations:write', 'contacts:read', 'contacts:write'] as const),
  ...(['insights:read', 'desk', 'webhooks'] as const),
];
const scopeOfRoute = new Map(
  everyScope.flatMap((scope) => (keyRoutes[scope] ?? []).map((route) => [route, scope] as const)),
);

/** The routes that a caller uses. */
const visitorRoutes = [
  'PUT /api/conversations/{id}/end',
  'POST /api/conversations/{id}/audio',
  'GET /api/recordings/{id}',
];

const rooms = createFakeRooms();
const mediaStore = createFakeMediaStore();
/** The principals behind tokens that belong to no session. */
const known = new Map<string, Principal>();
let app: TestApp;
let url: string;
let hers: Somebody;
let stranger: SignedIn;
const sockets: Socket[] = [];

beforeAll(async () => {
  app = await openTestApp({
    engines: { rooms, mediaStore },
    authenticate: async (token) => known.get(token) ?? null,
  });
  url = await app.listen();
  await app.signUp();
  hers = await somebodyIn({ app, rooms, mediaStore });
  stranger = await app.signUp();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});
afterAll(() => app.close());

/** A token of somebody who comes by another way than a session. */
function tokenOf(principal: Principal): string {
  const token = `${principal.kind}-${uuidv7()}`;
  known.set(token, principal);
  return token;
}

const workspaceIn = ({ user }: SignedIn) => ownScope(user).workspaceId;

/** Somebody without an account, in a visit with this agent. */
async function aVisitor(workspaceId: string, agentId: string): Promise<Principal & { kind: 'visitor' }> {
  const scope = { workspaceId, contactId: uuidv7() };
  await app.database.db.insert(contacts).values({ id: scope.contactId, workspaceId, name: 'A visitor' });
  return { kind: 'visitor', visitId: uuidv7(), scope, agentId };
}

const aKey = (workspaceId: string, scopes: readonly KeyScope[]): Principal => ({
  kind: 'key',
  keyId: uuidv7(),
  workspaceId,
  scopes,
});

async function ask(operation: string, token: string, { of }: Somebody) {
  const [method = '', path = ''] = operation.split(' ');
  const right = routeRights[operation];
  const names = right?.names?.(of) ?? [];
  const form = right?.isUpload ? await aRecordingForm() : null;
  const body = form?.body ?? right?.body?.(of.user);
  return app.server.inject({
    method: methodSchema.parse(method),
    url: path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(names.shift() ?? '')),
    headers: { ...form?.headers, authorization: `Bearer ${token}` },
    ...(body ? { body } : {}),
  });
}

const guarded = Object.entries(routeRights).flatMap(([operation, right]) =>
  right.for === 'anybody' ? [] : [operation],
);

const thingsOf = async ({ her }: Somebody) => {
  const urls = ['/api/auth/me', '/api/agents', '/api/conversations', '/api/preferences'];
  const seen: string[] = [];
  for (const each of urls) seen.push((await app.as(her.token, 'GET', each)).body);
  return seen.join('\n').replaceAll(/\?expires[^"]*/g, '');
};

describe('routes', () => {
  it.each([
    ['a visitor of hers', async () => aVisitor(workspaceIn(hers.her), hers.of.agent)],
    ['a visitor of others', async () => aVisitor(workspaceIn(stranger), uuidv7())],
    ['a key of hers without a scope', async () => aKey(workspaceIn(hers.her), [])],
    ['a key of others with every scope', async () => aKey(workspaceIn(stranger), everyScope)],
  ])('answer %s nothing that is not theirs', async (_who, principal) => {
    const before = await thingsOf(hers);
    const asking = await principal();
    const token = tokenOf(asking);
    for (const operation of guarded) {
      const answer = await ask(operation, token, hers);
      const seen = [operation, answer.statusCode, answer.body.slice(0, 200)];
      const hasScope = asking.kind === 'key' && asking.scopes.length > 0 && scopeOfRoute.has(operation);
      const isHeard = asking.kind === 'visitor' && visitorRoutes.includes(operation);
      const isOwn = hasScope && !operation.includes('{');
      const expected = isOwn ? [200, 201] : hasScope || isHeard ? [404] : [403];
      expect(expected, JSON.stringify(seen)).toContain(answer.statusCode);
      expect(answer.body, operation).not.toContain(SECRET);
    }
    expect(await thingsOf(hers)).toBe(before);
  });

  it.each([...scopeOfRoute])('%s answers a key of its workspace that has %s', async (operation, scope) => {
    const theirs = await somebodyIn({ app, rooms, mediaStore });
    const others = everyScope.filter((each) => each !== scope);
    const refused = await ask(operation, tokenOf(aKey(workspaceIn(theirs.her), others)), theirs);
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining(scope)]);
    const answer = await ask(operation, tokenOf(aKey(workspaceIn(theirs.her), [scope])), theirs);
    const right = routeRights[operation];
    // A route may refuse this owner for another reason than her role: then it refuses a key as well.
    expect([operation, answer.statusCode, answer.body.slice(0, 200)]).toEqual([
      operation,
      right?.status,
      expect.anything(),
    ]);
  });
});

/** Every event, with what would do something to her things. */
const hostile = ({ of }: Somebody): Record<keyof ClientToServerEvents, object[]> => {
  const conversationId = of.conversation;
  const responseId = uuidv7();
  return {
    start_conversation: [{ conversationId }, { agentId: of.agent, isCallSimulator: false }, {}],
    user_message: [{ conversationId, message: 'Hello?' }],
    interrupt: [{ conversationId, responseId, heardMs: 0 }],
    speech_start: [{ conversationId, sampleRate: 16_000 }],
    speech_audio: [{ index: 0, audio: new ArrayBuffer(320) }],
    speech_end: [{ conversationId }],
    playback: [{ conversationId, responseId }],
  };
};
/** They are about the sender's own microphone and loudspeaker: of no consequence where there is none. */
const OF_THEIR_OWN = ['speech_end', 'playback'];

async function connect(principal: Principal): Promise<{ socket: Socket; told: unknown[] }> {
  const auth = { token: tokenOf(principal) };
  const socket = io(url, { auth, transports: ['websocket'], forceNew: true, reconnection: false });
  sockets.push(socket);
  const told: unknown[] = [];
  socket.onAny((...event) => told.push(event));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return { socket, told };
}

describe('events', () => {
  it('answer no key, whatever its scopes', async () => {
    const { socket, told } = await connect(aKey(workspaceIn(hers.her), everyScope));
    for (const [event, payloads] of Object.entries(hostile(hers)))
      for (const payload of payloads)
        expect([event, await socket.emitWithAck(event, payload)]).toEqual([
          event,
          { ok: false, error: expect.objectContaining({ code: 'forbidden' }) },
        ]);
    expect(JSON.stringify(told)).not.toContain(SECRET);
  });

  it.each([
    ['of others', async () => aVisitor(workspaceIn(stranger), uuidv7())],
    ['of hers', async () => aVisitor(workspaceIn(hers.her), uuidv7())],
  ])('answer a visitor %s with another agent nothing of hers', async (_whose, principal) => {
    const before = await thingsOf(hers);
    const { socket, told } = await connect(await principal());
    for (const [event, payloads] of Object.entries(hostile(hers)))
      for (const payload of payloads) {
        const answer = await socket.emitWithAck(event, payload);
        told.push(answer);
        expect(answer, event).not.toMatchObject({ error: { code: 'internal' } });
        if (!OF_THEIR_OWN.includes(event)) expect([event, answer]).toMatchObject([event, { ok: false }]);
      }
    expect(JSON.stringify(told)).not.toContain(SECRET);
    expect(await thingsOf(hers)).toBe(before);
  });

  it('answer a visitor in a call of their own, with the agent of their visit', async () => {
    const principal = await aVisitor(workspaceIn(hers.her), hers.of.agent);
    const { socket } = await connect(principal);
    const started = await socket.emitWithAck('start_conversation', {});
    expect(started).toMatchObject({ ok: true });
    const { conversationId } = started;
    const find = async () =>
      (await app.database.db.select().from(conversations)).filter(({ id }) => id === conversationId);
    expect(await find()).toMatchObject([
      { ...principal.scope, agentId: hers.of.agent, channel: 'door', state: 'open' },
    ]);
    const answered = new Promise<{ conversationId: string; responseId: string }>((resolve) =>
      socket.once('ai_response', resolve),
    );
    const said = await socket.emitWithAck('user_message', { conversationId, message: 'When do you open?' });
    expect(said).toMatchObject({ ok: true });
    const { responseId } = await answered;
    const events = [
      ['interrupt', { conversationId, responseId, heardMs: 10 }],
      ['speech_start', { conversationId, sampleRate: 16_000 }],
      ['speech_audio', { index: 0, audio: new ArrayBuffer(320) }],
      ['speech_end', { conversationId }],
      ['playback', { conversationId, responseId }],
    ] as const;
    for (const [event, payload] of events)
      expect([event, await socket.emitWithAck(event, payload)]).toMatchObject([event, { ok: true }]);
    const authorization = `Bearer ${tokenOf(principal)}`;
    const form = await aRecordingForm();
    const sent = await app.server.inject({
      method: 'POST',
      url: `/api/conversations/${conversationId}/audio`,
      headers: { ...form.headers, authorization },
      body: form.body,
    });
    expect(sent.statusCode).toBe(201);
    const { audioUrl } = z.object({ audioUrl: z.string() }).parse(sent.json());
    const heard = [
      await app.server.inject(audioUrl),
      await app.server.inject({ url: audioUrl.split('?')[0] ?? '', headers: { authorization } }),
    ];
    expect(heard.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    // Back after the connection was lost, the call goes on.
    const again = await connect(principal);
    expect(await again.socket.emitWithAck('start_conversation', { conversationId })).toMatchObject({
      ok: true,
      conversationId,
    });
    expect(
      await again.socket.emitWithAck('start_conversation', { conversationId, agentId: uuidv7() }),
    ).toMatchObject({ ok: false, error: { code: 'not-found' } });
    expect(await again.socket.emitWithAck('start_conversation', { userId: hers.of.user })).toMatchObject({
      ok: false,
      error: { code: 'forbidden' },
    });
    const hungUp = await app.server.inject({
      method: 'PUT',
      url: `/api/conversations/${conversationId}/end`,
      headers: { authorization },
    });
    expect(hungUp.statusCode).toBe(200);
    expect(await find()).toMatchObject([{ state: 'ended' }]);
  });

  it('goes on with no conversation that a contact has with another agent', async () => {
    const principal = await aVisitor(workspaceIn(hers.her), hers.of.agent);
    const { contactId, workspaceId } = principal.scope;
    const nora = anAgent(hers.of.user, { name: 'Nora' });
    const other = aConversation(contactId, { workspaceId, agentId: nora.id, channel: 'door' });
    await app.database.db.insert(agents).values(nora);
    await app.database.db.insert(conversations).values(other);
    const { socket } = await connect(principal);
    const conversationId = other.id;
    for (const [event, payload] of [
      ['start_conversation', { conversationId }],
      ['user_message', { conversationId, message: 'Hello?' }],
      ['speech_start', { conversationId, sampleRate: 16_000 }],
    ] as const)
      expect([event, await socket.emitWithAck(event, payload)]).toMatchObject([
        event,
        { ok: false, error: { code: 'not-found' } },
      ]);
  });
});

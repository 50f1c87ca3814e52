import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contacts, conversations, messages, unansweredQuestions } from '#server/database/schema';
import { createFakeIdentity } from '#server/engines/identity/fake';
import { createFakeMail } from '#server/engines/mail/fake';
import { createFakeRooms } from '#server/engines/rooms/fake';
import {
  providerVisitSchema,
  type SignedIn,
  secondFactorProposalSchema,
  ticketSchema,
} from '#shared/accounts';
import {
  aConversation,
  aMessage,
  anActionDraft,
  anUnansweredQuestion,
  aPassword,
  aRegistration,
  aRoomParticipant,
} from './factories.ts';
import { A_PAGE } from './support/fake-engines.ts';
import { checkAnswer, type Documented, documentSchema, operationsOf } from './support/openapi-document.ts';
import { routesOf } from './support/printed-routes.ts';
import { openTestApp, type TestApp } from './support/test-app.ts';
import { aRecordingForm } from './support/uploads.ts';

const rooms = createFakeRooms();
const mail = createFakeMail();
let app: TestApp;
let documented: Map<string, Documented>;
let ada: SignedIn;
beforeAll(async () => {
  app = await openTestApp({
    engines: { rooms, mail, identity: createFakeIdentity() },
    config: { publicUrl: 'http://127.0.0.1', corsOrigins: [], rateLimit: false },
  });
  const response = await app.server.inject('/api/openapi.json');
  documented = operationsOf(documentSchema.parse(response.json()));
  ada = await app.signUp({ email: 'owner@sigma.example' });
});
afterAll(() => app.close());

/** Routes that serve the page and the documentation itself. */
const isAnApi = (route: string) =>
  /^(GET|POST|PUT|DELETE|PATCH) \/(api\/(?!docs|openapi\.json)|health$|ready$)/.test(route);

interface Call {
  /** Fills `{…}` of the path and may add a query. */
  url?: string;
  body?: object | string;
  headers?: Record<string, string>;
  /** null: nobody is signed in. */
  token?: string | null;
}
interface Example {
  /** Answered with success, with exactly this status. */
  good: () => Promise<Call & { status: number }>;
  /** Refused, each with this status. */
  bad: (Call & { status: number })[];
}

const MISSING = '018f0000-0000-7000-8000-000000000000';
const draft = {
  name: 'Nora',
  companyName: 'Northwind',
  personality: 'Warm and brief.',
  companyInfo: 'Northwind is open from 9 to 17.',
  prompts: ['Always say thank you.'],
};
const json = { 'content-type': 'application/json' };
const stranger = (status = 401) => ({ token: null, status });

const aRoom = (participantIdentity: string) => ({
  roomName: 'Support / EU',
  participantName: 'Ada',
  participantIdentity,
});
const aWebhook = {
  body: '{"event":"room_started"}',
  headers: { 'content-type': 'application/webhook+json' },
};

/** A sign-in that was begun at the identity provider. */
async function anAttempt(): Promise<string> {
  const begun = await app.server.inject({ method: 'POST', url: '/api/auth/oidc' });
  return providerVisitSchema.parse(begun.json()).attempt;
}
/** What stands in a link to a new password, sent to somebody new. */
async function aResetLink(): Promise<string> {
  const { email } = (await app.signUp()).user;
  mail.sent.length = 0;
  await app.server.inject({ method: 'POST', url: '/api/auth/password-reset', body: { email } });
  await expect.poll(() => mail.sent).toHaveLength(1);
  return mail.sent[0]?.text.split('#token=')[1]?.split('\n')[0] ?? '';
}
/** Begins to set up somebody's second factor. @returns the code that holds now */
async function aCode(token: string): Promise<string> {
  const proposal = await app.as(token, 'POST', '/api/auth/second-factor', { password: aPassword });
  const { secret } = secondFactorProposalSchema.parse(proposal.json());
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
}
/** Somebody new with a second factor. */
async function withSecondFactor(): Promise<string> {
  const { token } = await app.signUp();
  await app.as(token, 'POST', '/api/auth/second-factor/confirm', { code: await aCode(token) });
  return token;
}
async function anAgent(): Promise<string> {
  const response = await app.as(ada.token, 'POST', '/api/agents', draft);
  return z.object({ _id: z.string() }).parse(response.json())._id;
}
const secretAction = { ...anActionDraft, headers: { Authorization: 'Bearer secret' } };
/** The path of an action of a new agent's. */
async function anAction(): Promise<string> {
  const url = `/api/agents/${await anAgent()}/actions`;
  const response = await app.as(ada.token, 'POST', url, secretAction);
  return `${url}/${z.object({ _id: z.string() }).parse(response.json())._id}`;
}
const aText = { title: 'Returns', text: 'You can send a lamp back within 45 days.' };
/** The path of a document of a new agent's. */
async function aDocument(): Promise<string> {
  const url = `/api/agents/${await anAgent()}/documents`;
  const response = await app.as(ada.token, 'POST', url, aText);
  return `${url}/${z.object({ _id: z.string() }).parse(response.json())._id}`;
}
const aKeyRequest = { name: 'The till', scopes: ['agents:read'] };
async function anInvitation(): Promise<string> {
  const invitation = { email: 'bea@example.com', role: 'member' };
  const response = await app.as(ada.token, 'POST', '/api/invitations', invitation);
  return z.object({ _id: z.string() }).parse(response.json())._id;
}
async function aStoredConversation(): Promise<string> {
  const row = aConversation(ada.user._id);
  await app.database.db.insert(conversations).values(row);
  return row.id;
}

async function aStoredQuestion(): Promise<string> {
  const conversationId = await aStoredConversation();
  const [asked, reply] = [aMessage(conversationId), aMessage(conversationId, { role: 'assistant' })];
  await app.database.db.insert(messages).values([asked, reply]);
  const ids = { messageId: asked.id, conversationId, userId: ada.user._id, replyId: reply.id };
  const row = anUnansweredQuestion(ids, { agentId: await anAgent() });
  await app.database.db.insert(unansweredQuestions).values(row);
  return row.messageId;
}

/** Somebody without an account whom Ada's workspace serves. */
async function aVisitor(): Promise<string> {
  const id = crypto.randomUUID();
  const workspaceId = ada.user.workspaceId ?? '';
  await app.database.db.insert(contacts).values({ id, workspaceId, name: 'Vera' });
  return id;
}

/** A room of Ada's with a lobby. */
async function anOwnRoom(): Promise<string> {
  const roomName = `Room ${rooms.created.length}/EU`;
  await app.as(ada.token, 'POST', '/api/livekit/create-room', { ...aRoom(ada.user._id), roomName });
  const url = `/api/livekit/rooms/${encodeURIComponent(roomName)}`;
  await app.as(ada.token, 'PUT', url, { lobby: true });
  return url;
}
/** Somebody who waits in the lobby of such a room. */
async function aKnock(): Promise<string> {
  const url = await anOwnRoom();
  const { token, user } = await app.signUp();
  const roomName = decodeURIComponent(url.split('/').at(-1) ?? '');
  await app.as(token, 'POST', '/api/livekit/join-room', { ...aRoom(user._id), roomName });
  return `${url}/participants/${user._id}`;
}
/** Somebody in such a room. */
async function aParticipant(): Promise<string> {
  const url = await anOwnRoom();
  const identity = 'guest';
  rooms.people.set(decodeURIComponent(url.split('/').at(-1) ?? ''), [aRoomParticipant({ identity })]);
  return `${url}/participants/${identity}`;
}

/** A good and some bad calls of every operation. */
const examples: Record<string, Example> = {
  'POST /api/auth/register': {
    good: async () => ({ token: null, body: aRegistration(), status: 201 }),
    bad: [
      { token: null, body: { name: '', email: 'x', password: 'short' }, status: 400 },
      { token: null, body: '{', headers: json, status: 400 },
      {
        token: null,
        body: 'a=b',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        status: 415,
      },
    ],
  },
  'POST /api/auth/login': {
    good: async () => {
      const account = aRegistration();
      await app.signUp(account);
      return { token: null, body: { email: account.email, password: account.password }, status: 200 };
    },
    bad: [
      { token: null, body: { email: 'nobody@sigma.example', password: 'not this one' }, status: 401 },
      { token: null, body: { email: ['x'] }, status: 400 },
    ],
  },
  'GET /api/auth/options': { good: async () => ({ token: null, status: 200 }), bad: [] },
  'POST /api/auth/oidc': {
    good: async () => ({ token: null, status: 200 }),
    bad: [],
  },
  'POST /api/auth/oidc/back': {
    good: async () => ({ token: null, body: { attempt: await anAttempt(), answer: 'code=x' }, status: 200 }),
    bad: [
      { token: null, body: { attempt: 'x', answer: '' }, status: 400 },
      { token: null, body: {}, status: 400 },
    ],
  },
  'POST /api/auth/oidc/sign-in': {
    good: async () => {
      const body = { attempt: await anAttempt(), answer: 'code=x' };
      const back = await app.server.inject({ method: 'POST', url: '/api/auth/oidc/back', body });
      return { token: null, body: ticketSchema.parse(back.json()), status: 200 };
    },
    bad: [
      { token: null, body: { ticket: 'x' }, status: 400 },
      { token: null, body: {}, status: 400 },
    ],
  },
  'POST /api/auth/password-reset': {
    good: async () => ({ token: null, body: { email: 'owner@sigma.example' }, status: 202 }),
    bad: [{ token: null, body: { email: ['x'] }, status: 400 }],
  },
  'POST /api/auth/password-reset/confirm': {
    good: async () => ({
      token: null,
      body: { token: await aResetLink(), newPassword: 'another horse, another battery' },
      status: 204,
    }),
    bad: [
      { token: null, body: { token: 'x', newPassword: 'another horse' }, status: 400 },
      { token: null, body: { token: 'x' }, status: 400 },
    ],
  },
  'GET /api/auth/me': { good: async () => ({ status: 200 }), bad: [stranger()] },
  'GET /api/auth/second-factor': { good: async () => ({ status: 200 }), bad: [stranger()] },
  'POST /api/auth/second-factor': {
    good: async () => ({ token: (await app.signUp()).token, body: { password: aPassword }, status: 200 }),
    bad: [{ body: { password: 'wrong password' }, status: 401 }, { body: {}, status: 400 }, stranger()],
  },
  'POST /api/auth/second-factor/confirm': {
    good: async () => {
      const { token } = await app.signUp();
      return { token, body: { code: await aCode(token) }, status: 200 };
    },
    bad: [{ body: { code: '123456' }, status: 400 }, { body: {}, status: 400 }, stranger()],
  },
  'POST /api/auth/second-factor/recovery-codes': {
    good: async () => ({ token: await withSecondFactor(), body: { password: aPassword }, status: 200 }),
    bad: [{ body: { password: aPassword }, status: 409 }, { body: {}, status: 400 }, stranger()],
  },
  'DELETE /api/auth/second-factor': {
    good: async () => ({ token: await withSecondFactor(), body: { password: aPassword }, status: 204 }),
    bad: [{ body: { password: 'wrong password' }, status: 401 }, { body: {}, status: 400 }, stranger()],
  },
  'GET /api/settings/second-factor': { good: async () => ({ status: 200 }), bad: [stranger()] },
  'PUT /api/settings/second-factor': {
    good: async () => ({ body: { required: false }, status: 200 }),
    bad: [{ body: { required: true }, status: 409 }, { body: {}, status: 400 }, stranger()],
  },
  'PUT /api/auth/password': {
    good: async () => ({
      token: (await app.signUp()).token,
      body: { currentPassword: aPassword, newPassword: 'another horse, another battery' },
      status: 204,
    }),
    bad: [
      { body: { currentPassword: 'wrong password', newPassword: 'another horse' }, status: 401 },
      { body: { currentPassword: aPassword, newPassword: 'short' }, status: 400 },
      stranger(),
    ],
  },
  'DELETE /api/auth/me': {
    good: async () => ({ token: (await app.signUp()).token, body: { password: aPassword }, status: 204 }),
    bad: [
      { body: { password: 'wrong password' }, status: 401 },
      { body: {}, status: 400 },
      { body: { password: aPassword }, status: 409 },
      stranger(),
    ],
  },
  'GET /api/auth/export': { good: async () => ({ status: 200 }), bad: [stranger()] },
  'GET /api/members': { good: async () => ({ status: 200 }), bad: [stranger()] },
  'PUT /api/members/{id}': {
    good: async () => ({
      url: `/api/members/${(await app.join(ada, 'member')).user._id}`,
      body: { role: 'supervisor' },
      status: 200,
    }),
    bad: [{ body: { role: 'member' }, status: 404 }, { body: { role: 'root' }, status: 400 }, stranger()],
  },
  'DELETE /api/members/{id}': {
    good: async () => ({ url: `/api/members/${(await app.signUp()).user._id}`, status: 204 }),
    bad: [{ status: 404 }, stranger()],
  },
  'DELETE /api/members/{id}/sessions': {
    good: async () => ({ url: `/api/members/${(await app.signUp()).user._id}/sessions`, status: 204 }),
    bad: [{ status: 404 }, stranger()],
  },
  'GET /api/settings/registration': { good: async () => ({ status: 200 }), bad: [stranger()] },
  'PUT /api/settings/registration': {
    good: async () => ({ body: { mode: 'open' }, status: 200 }),
    bad: [{ body: { mode: 'sometimes' }, status: 400 }, stranger()],
  },
  'GET /api/settings/engines': { good: async () => ({ status: 200 }), bad: [stranger()] },
  'PUT /api/settings/engines/{capability}': {
    good: async () => ({
      url: '/api/settings/engines/language',
      body: { values: { LLM_BASE_URL: 'http://127.0.0.1:11434/v1', LLM_MODEL: 'llama3.2' } },
      status: 200,
    }),
    bad: [
      { url: '/api/settings/engines/language', body: { values: { LLM_MODEL: 4 } }, status: 400 },
      { url: '/api/settings/engines/brain', body: { values: {} }, status: 404 },
      stranger(),
    ],
  },
  'POST /api/settings/engines/{capability}/try': {
    good: async () => ({ url: '/api/settings/engines/storage/try', body: {}, status: 200 }),
    bad: [
      { url: '/api/settings/engines/voice/try', body: { values: { LLM_MODEL: 'x' } }, status: 400 },
      stranger(),
    ],
  },
  'GET /api/invitations': {
    good: async () => {
      await anInvitation();
      return { status: 200 };
    },
    bad: [stranger()],
  },
  'POST /api/invitations': {
    good: async () => ({ body: { email: 'cleo@example.com', role: 'member' }, status: 201 }),
    bad: [
      { body: { email: 'cleo', role: 'member' }, status: 400 },
      { body: { email: 'owner@sigma.example', role: 'member' }, status: 409 },
      stranger(),
    ],
  },
  'DELETE /api/invitations/{id}': {
    good: async () => ({ url: `/api/invitations/${await anInvitation()}`, status: 204 }),
    bad: [{ status: 404 }, stranger()],
  },
  'GET /api/keys': { good: async () => ({ status: 200 }), bad: [stranger()] },
  'POST /api/keys': {
    good: async () => ({ body: aKeyRequest, status: 201 }),
    bad: [{ body: { ...aKeyRequest, scopes: [] }, status: 400 }, stranger()],
  },
  'DELETE /api/keys/{id}': {
    good: async () => {
      const made = await app.as(ada.token, 'POST', '/api/keys', aKeyRequest);
      return { url: `/api/keys/${z.object({ _id: z.string() }).parse(made.json())._id}`, status: 204 };
    },
    bad: [{ status: 404 }, stranger()],
  },
  'GET /api/audit': {
    good: async () => ({ url: '/api/audit?limit=5', status: 200 }),
    bad: [
      { url: '/api/audit?limit=0', status: 400 },
      { url: '/api/audit?cursor=1', status: 400 },
      stranger(),
    ],
  },
  'GET /api/auth/sessions': { good: async () => ({ status: 200 }), bad: [stranger()] },
  'DELETE /api/auth/sessions': {
    good: async () => ({ token: (await app.signUp()).token, body: { password: aPassword }, status: 204 }),
    bad: [
      { body: { password: 'wrong password' }, status: 401 },
      { body: { password: 1 }, status: 400 },
      stranger(),
    ],
  },
  'DELETE /api/auth/sessions/{id}': {
    good: async () => {
      const { token } = await app.signUp();
      const [session] = (await app.as(token, 'GET', '/api/auth/sessions')).json();
      return { url: `/api/auth/sessions/${session._id}`, token, body: { password: aPassword }, status: 204 };
    },
    bad: [
      { body: { password: aPassword }, status: 404 },
      { url: '/api/auth/sessions/x', body: { password: aPassword }, status: 404 },
      { body: { password: 1 }, status: 400 },
      stranger(),
    ],
  },
  'POST /api/auth/logout': {
    good: async () => ({ token: (await app.signUp()).token, status: 204 }),
    bad: [stranger()],
  },
  'GET /api/preferences': { good: async () => ({ status: 200 }), bad: [stranger()] },
  'PUT /api/preferences': {
    good: async () => ({ body: { soundCues: false }, status: 200 }),
    bad: [
      { body: { keepRecordings: 'no' }, status: 400 },
      { body: '{', headers: json, status: 400 },
      stranger(),
    ],
  },
  'GET /api/agents': { good: async () => ({ status: 200 }), bad: [stranger()] },
  'POST /api/agents': {
    good: async () => ({ body: draft, status: 201 }),
    bad: [
      { body: { ...draft, name: '   ' }, status: 400 },
      { body: { ...draft, prompts: 'be nice' }, status: 400 },
      { body: draft, headers: { 'idempotency-key': 'two words' }, status: 400 },
      { body: draft, token: null, status: 401 },
    ],
  },
  'POST /api/agents/try': {
    good: async () => ({ body: { agent: draft, message: 'When are you open?' }, status: 200 }),
    bad: [{ body: { name: 7 }, status: 400 }, stranger()],
  },
  'POST /api/agents/sayings': {
    good: async () => ({ body: { prompts: ['Greet callers with "Hello!"'] }, status: 200 }),
    bad: [{ body: { prompts: 'be nice' }, status: 400 }, { body: {}, status: 400 }, stranger()],
  },
  'POST /api/agents/writing-help': {
    good: async () => ({ body: { companyInfo: 'Parcels leave us quickly.' }, status: 200 }),
    bad: [{ body: { companyInfo: ' ' }, status: 400 }, { body: {}, status: 400 }, stranger()],
  },
  'GET /api/agents/{id}': {
    good: async () => ({ url: `/api/agents/${await anAgent()}`, status: 200 }),
    bad: [
      { url: `/api/agents/${MISSING}`, status: 404 },
      { url: '/api/agents/x', status: 404 },
    ],
  },
  'PUT /api/agents/{id}': {
    good: async () => ({
      url: `/api/agents/${await anAgent()}`,
      body: { ...draft, name: 'Nils' },
      status: 200,
    }),
    bad: [
      { url: `/api/agents/${MISSING}`, body: draft, status: 404 },
      { url: `/api/agents/${MISSING}`, body: {}, status: 400 },
    ],
  },
  'DELETE /api/agents/{id}': {
    good: async () => ({ url: `/api/agents/${await anAgent()}`, status: 200 }),
    bad: [{ url: `/api/agents/${MISSING}`, status: 404 }],
  },
  'POST /api/agents/{id}/effects': {
    good: async () => ({
      url: `/api/agents/${await anAgent()}/effects`,
      body: { companyInfo: 'Northwind is open from 10 to 16.', prompts: [] },
      status: 200,
    }),
    bad: [
      { url: `/api/agents/${MISSING}/effects`, body: {}, status: 404 },
      { body: { companyInfo: ' ' }, status: 400 },
      stranger(),
    ],
  },
  'GET /api/agents/{id}/versions': {
    good: async () => ({ url: `/api/agents/${await anAgent()}/versions?limit=5`, status: 200 }),
    bad: [
      { url: `/api/agents/${MISSING}/versions`, status: 404 },
      { url: `/api/agents/${MISSING}/versions?limit=0`, status: 400 },
      stranger(),
    ],
  },
  'GET /api/agents/{id}/versions/{version}': {
    good: async () => ({ url: `/api/agents/${await anAgent()}/versions/1`, status: 200 }),
    bad: [
      { url: `/api/agents/${MISSING}/versions/1`, status: 404 },
      { url: `/api/agents/${MISSING}/versions/first`, status: 404 },
      stranger(),
    ],
  },
  'POST /api/agents/{id}/versions/{version}/restore': {
    good: async () => ({ url: `/api/agents/${await anAgent()}/versions/1/restore`, status: 200 }),
    bad: [{ url: `/api/agents/${MISSING}/versions/1/restore`, status: 404 }, stranger()],
  },
  'GET /api/agents/{id}/actions': {
    good: async () => ({ url: `/api/agents/${await anAgent()}/actions`, status: 200 }),
    bad: [{ status: 404 }, { url: '/api/agents/x/actions', status: 404 }, stranger()],
  },
  'POST /api/agents/{id}/actions': {
    good: async () => ({
      url: `/api/agents/${await anAgent()}/actions`,
      body: secretAction,
      status: 201,
    }),
    bad: [
      { body: secretAction, status: 404 },
      { body: { ...secretAction, url: 'https://{order}.example' }, status: 400 },
      stranger(),
    ],
  },
  'PUT /api/agents/{id}/actions/{actionId}': {
    good: async () => ({
      url: await anAction(),
      body: { ...secretAction, headers: { Authorization: null } },
      status: 200,
    }),
    bad: [{ body: secretAction, status: 404 }, { body: {}, status: 400 }, stranger()],
  },
  'DELETE /api/agents/{id}/actions/{actionId}': {
    good: async () => ({ url: await anAction(), status: 204 }),
    bad: [{ status: 404 }, stranger()],
  },
  'POST /api/agents/{id}/actions/{actionId}/try': {
    good: async () => ({ url: `${await anAction()}/try`, body: { inputs: { order: '4471' } }, status: 200 }),
    bad: [{ body: {}, status: 404 }, { body: { inputs: 4471 }, status: 400 }, stranger()],
  },
  'POST /api/agents/{id}/actions/tools': {
    good: async () => ({
      url: `/api/agents/${await anAgent()}/actions/tools`,
      body: { url: 'https://tools.example/mcp' },
      status: 200,
    }),
    bad: [
      { body: { url: 'https://tools.example/mcp' }, status: 404 },
      { body: { url: 'file:///etc' }, status: 400 },
      stranger(),
    ],
  },
  'GET /api/conversations/{id}/actions': {
    good: async () => ({ url: `/api/conversations/${await aStoredConversation()}/actions`, status: 200 }),
    bad: [{ status: 404 }, stranger()],
  },
  'GET /api/documents': {
    good: async () => ({ status: 200 }),
    bad: [stranger()],
  },
  'GET /api/documents/{documentId}': {
    good: async () => ({ url: `/api/documents/${(await aDocument()).split('/').at(-1)}`, status: 200 }),
    bad: [{ status: 404 }, stranger()],
  },
  'GET /api/agents/{id}/documents': {
    good: async () => ({ url: `/api/agents/${await anAgent()}/documents`, status: 200 }),
    bad: [{ status: 404 }, stranger()],
  },
  'POST /api/agents/{id}/documents': {
    good: async () => ({ url: `/api/agents/${await anAgent()}/documents`, body: aText, status: 201 }),
    bad: [{ body: aText, status: 404 }, { body: {}, status: 400 }, stranger()],
  },
  'POST /api/agents/{id}/documents/batch': {
    good: async () => ({
      url: `/api/agents/${await anAgent()}/documents/batch`,
      body: { documents: [aText] },
      status: 201,
    }),
    bad: [{ body: { documents: [aText] }, status: 404 }, { body: {}, status: 400 }, stranger()],
  },
  'POST /api/agents/{id}/documents/preview': {
    good: async () => ({
      url: `/api/agents/${await anAgent()}/documents/preview`,
      body: { url: A_PAGE },
      status: 200,
    }),
    bad: [{ body: { url: A_PAGE }, status: 404 }, stranger()],
  },
  'GET /api/agents/{id}/documents/{documentId}': {
    good: async () => ({ url: await aDocument(), status: 200 }),
    bad: [{ status: 404 }, stranger()],
  },
  'PUT /api/agents/{id}/documents/{documentId}': {
    good: async () => ({ url: await aDocument(), body: aText, status: 200 }),
    bad: [{ body: aText, status: 404 }, stranger()],
  },
  'PATCH /api/agents/{id}/documents/{documentId}': {
    good: async () => ({ url: await aDocument(), body: { title: 'Terms' }, status: 200 }),
    bad: [{ body: {}, status: 404 }, { body: { readEveryDays: 0 }, status: 400 }, stranger()],
  },
  'DELETE /api/agents/{id}/documents/{documentId}': {
    good: async () => ({ url: await aDocument(), status: 204 }),
    bad: [{ status: 404 }, stranger()],
  },
  'POST /api/agents/{id}/documents/{documentId}/read-again': {
    good: async () => ({ url: `${await aDocument()}/read-again`, status: 202 }),
    bad: [{ status: 404 }, stranger()],
  },
  'POST /api/livekit/create-room': {
    good: async () => ({ body: aRoom(ada.user._id), status: 200 }),
    bad: [
      { body: { ...aRoom(MISSING), roomName: ' ' }, status: 400 },
      { body: aRoom(MISSING), status: 403 },
      stranger(),
    ],
  },
  'POST /api/livekit/join-room': {
    good: async () => ({ body: aRoom(ada.user._id), status: 200 }),
    bad: [
      { body: { ...aRoom(MISSING), roomName: 'x'.repeat(129) }, status: 400 },
      { body: aRoom(MISSING), status: 403 },
      stranger(),
    ],
  },
  'POST /api/livekit/create-test-room': { good: async () => ({ status: 200 }), bad: [stranger()] },
  'GET /api/livekit/rooms/{roomName}': {
    good: async () => ({ url: await anOwnRoom(), status: 200 }),
    bad: [{ status: 404 }, stranger()],
  },
  'PUT /api/livekit/rooms/{roomName}': {
    good: async () => ({ url: await anOwnRoom(), body: { access: 'invited', locked: true }, status: 200 }),
    bad: [{ body: {}, status: 404 }, { body: { access: 'anybody' }, status: 400 }, stranger()],
  },
  'POST /api/livekit/rooms/{roomName}/invites': {
    good: async () => ({ url: `${await anOwnRoom()}/invites`, status: 201 }),
    bad: [{ status: 404 }, stranger()],
  },
  'POST /api/livekit/rooms/{roomName}/participants/{identity}/admit': {
    good: async () => ({ url: `${await aKnock()}/admit`, status: 204 }),
    bad: [{ status: 404 }, stranger()],
  },
  'POST /api/livekit/rooms/{roomName}/participants/{identity}/mute': {
    good: async () => ({ url: `${await aParticipant()}/mute`, status: 204 }),
    bad: [{ status: 404 }, stranger()],
  },
  'DELETE /api/livekit/rooms/{roomName}/participants/{identity}': {
    good: async () => ({ url: await aKnock(), status: 204 }),
    bad: [{ status: 404 }, stranger()],
  },
  'POST /api/livekit/webhook': {
    good: async () => ({
      ...aWebhook,
      headers: { ...aWebhook.headers, authorization: 'genuine' },
      token: null,
      status: 204,
    }),
    bad: [
      { ...aWebhook, token: null, status: 401 },
      { body: {}, token: null, status: 415 },
    ],
  },
  'GET /api/conversations': {
    good: async () => {
      await aStoredConversation();
      return { url: '/api/conversations?limit=5', status: 200 };
    },
    bad: [
      { url: '/api/conversations?limit=0', status: 400 },
      { url: '/api/conversations?view=sideways', status: 400 },
      { url: '/api/conversations?cursor=1', status: 400 },
      stranger(),
    ],
  },
  'GET /api/conversations/{id}': {
    good: async () => ({ url: `/api/conversations/${await aStoredConversation()}`, status: 200 }),
    bad: [
      { url: `/api/conversations/${MISSING}`, status: 404 },
      { url: '/api/conversations/%00', status: 404 },
    ],
  },
  'DELETE /api/conversations/{id}': {
    good: async () => ({ url: `/api/conversations/${await aStoredConversation()}`, status: 200 }),
    bad: [{ url: `/api/conversations/${MISSING}`, status: 404 }],
  },
  'PUT /api/conversations/{id}/end': {
    good: async () => ({ url: `/api/conversations/${await aStoredConversation()}/end`, status: 200 }),
    bad: [{ url: `/api/conversations/${MISSING}/end`, status: 404 }],
  },
  'POST /api/conversations/reanalyze-sentiment': {
    good: async () => ({ body: {}, status: 200 }),
    bad: [stranger(), { body: '[', headers: json, status: 400 }],
  },
  'POST /api/conversations/{id}/audio': {
    good: async () => {
      const url = `/api/conversations/${await aStoredConversation()}/audio`;
      return { url, ...(await aRecordingForm()), status: 201 };
    },
    bad: [{ url: `/api/conversations/${MISSING}/audio`, body: {}, status: 415 }, stranger()],
  },
  'GET /api/recordings/{id}': {
    good: async () => {
      const { body, headers } = await aRecordingForm();
      const sent = await app.server.inject({
        method: 'POST',
        url: `/api/conversations/${await aStoredConversation()}/audio`,
        headers: { ...headers, authorization: `Bearer ${ada.token}` },
        body,
      });
      return {
        url: z.object({ audioUrl: z.string() }).parse(sent.json()).audioUrl,
        token: null,
        status: 200,
      };
    },
    bad: [
      { url: `/api/recordings/${MISSING}`, status: 404 },
      { url: `/api/recordings/${MISSING}`, token: null, status: 401 },
    ],
  },
  'GET /api/conversations/stats/user/{userId}': {
    good: async () => ({
      url: `/api/conversations/stats/user/${ada.user._id}?tz=Europe/Berlin&days=7`,
      status: 200,
    }),
    bad: [
      { url: `/api/conversations/stats/user/${MISSING}`, status: 403 },
      { url: `/api/conversations/stats/user/${MISSING}?tz=Mars`, status: 400 },
    ],
  },
  'GET /api/contacts': {
    good: async () => ({ url: '/api/contacts?q=ada', status: 200 }),
    bad: [{ url: '/api/contacts?limit=0', status: 400 }, stranger()],
  },
  'GET /api/contacts/{id}': {
    good: async () => ({ url: `/api/contacts/${ada.user._id}`, status: 200 }),
    bad: [{ status: 404 }, stranger()],
  },
  'DELETE /api/contacts/{id}': {
    good: async () => ({ url: `/api/contacts/${await aVisitor()}`, status: 204 }),
    bad: [{ status: 404 }, stranger()],
  },
  'GET /api/insights/unanswered': {
    good: async () => {
      await aStoredQuestion();
      return { status: 200 };
    },
    bad: [{ url: '/api/insights/unanswered?limit=0', status: 400 }, stranger()],
  },
  'POST /api/insights/unanswered/{id}/answer': {
    good: async () => ({
      url: `/api/insights/unanswered/${await aStoredQuestion()}/answer`,
      body: { answer: 'Yes, within five days.' },
      status: 200,
    }),
    bad: [{ body: { answer: 'Yes.' }, status: 404 }, { body: { answer: '' }, status: 400 }, stranger()],
  },
  'DELETE /api/insights/unanswered/{id}': {
    good: async () => ({ url: `/api/insights/unanswered/${await aStoredQuestion()}`, status: 204 }),
    bad: [{ status: 404 }, stranger()],
  },
  'GET /api/insights/usage': {
    good: async () => ({ url: '/api/insights/usage?months=3', status: 200 }),
    bad: [
      { url: '/api/insights/usage?months=0', status: 400 },
      { url: '/api/insights/usage?months=all', status: 400 },
      stranger(),
    ],
  },
  'GET /api/status': { good: async () => ({ status: 200 }), bad: [stranger()] },
  'GET /health': { good: async () => ({ token: null, status: 200 }), bad: [] },
  'GET /ready': { good: async () => ({ token: null, status: 200 }), bad: [] },
};

async function call(
  operation: string,
  { url, body, headers, token = ada.token, status }: Call & { status: number },
) {
  const [method = '', path = ''] = operation.split(' ');
  const response = await app.server.inject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).parse(method),
    url: url ?? path.replace(/\{\w+\}/g, MISSING),
    headers: { ...headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body }),
  });
  expect([operation, response.statusCode, response.body.slice(0, 300)]).toEqual([
    operation,
    status,
    expect.anything(),
  ]);
  const operationDocument = documented.get(operation);
  if (!operationDocument) throw new Error(`${operation} is not documented.`);
  return checkAnswer(operationDocument, response);
}

describe('the OpenAPI document', () => {
  it('has every route that the server has, and no other', () => {
    const routes = routesOf(app.server.printRoutes({ commonPrefix: false })).filter(isAnApi);
    expect(routes.length).toBeGreaterThan(12);
    expect([...documented.keys()].sort()).toEqual([...new Set(routes)].sort());
  });

  it('says of every operation what it does, what it takes and what it answers', () => {
    for (const [operation, { document }] of documented) {
      expect([operation, document.summary?.length, document.tags?.length]).toEqual([
        operation,
        expect.toSatisfy((length) => length > 5),
        1,
      ]);
      const named = [...operation.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described =
        document.parameters?.filter((each) => each.in === 'path').map(({ name }) => name) ?? [];
      expect([operation, described]).toEqual([operation, named]);
      const answers = Object.keys(document.responses);
      expect([operation, answers.some((status) => /^2\d\d$/.test(status))]).toEqual([operation, true]);
      if (operation.includes('/api/')) expect(answers).toEqual(expect.arrayContaining(['4XX', '5XX']));
      for (const answer of Object.values(document.responses))
        expect([operation, answer.description]).not.toEqual([operation, 'Default Response']);
    }
  });

  it('says which operations need no token', () => {
    const open = [...documented].filter(([, { document }]) => document.security?.length === 0);
    expect(open.map(([operation]) => operation).sort()).toEqual([
      'GET /api/auth/options',
      'GET /health',
      'GET /ready',
      'POST /api/auth/login',
      'POST /api/auth/oidc',
      'POST /api/auth/oidc/back',
      'POST /api/auth/oidc/sign-in',
      'POST /api/auth/password-reset',
      'POST /api/auth/password-reset/confirm',
      'POST /api/auth/register',
      'POST /api/livekit/webhook',
    ]);
  });

  it('has an example of every operation in this test', () => {
    expect([...documented.keys()].filter((operation) => !examples[operation])).toEqual([]);
  });
});

describe.each(Object.keys(examples))('%s', (operation) => {
  it('answers a good call as documented', async () => {
    const example = examples[operation];
    if (!example) throw new Error('There is no example.');
    expect(await call(operation, await example.good())).toBeNull();
  });

  it('answers bad calls as documented', async () => {
    for (const bad of examples[operation]?.bad ?? []) expect(await call(operation, bad)).toBeNull();
  });
});

describe('checking an answer', () => {
  const operation = () => {
    const found = documented.get('GET /api/auth/me');
    if (!found) throw new Error('The document lacks the signed-in user.');
    return found;
  };
  const answer = (statusCode: number, body: object, type = 'application/json; charset=utf-8') => ({
    statusCode,
    body: JSON.stringify(body),
    headers: { 'content-type': type },
  });

  it.each([
    ['a field that is missing', 200, { _id: '1', name: 'Ada' }],
    ['a field that is not documented', 200, { _id: '1', name: 'Ada', email: 'a@b.c', passwordHash: 'x' }],
    ['a field of another type', 200, { _id: 1, name: 'Ada', email: 'a@b.c' }],
    ['a status that is not documented', 202, { _id: '1', name: 'Ada', email: 'a@b.c' }],
    ['a refusal without a code', 404, { message: 'No.', error: 'No.' }],
  ])('finds %s', (_what, status, body) => {
    expect(checkAnswer(operation(), answer(status, body))).toEqual(expect.any(String));
  });

  it('finds another media type', () => {
    expect(checkAnswer(operation(), answer(200, {}, 'text/html'))).toMatch(/text\/html/);
  });
});

import { anActionDraft, aPassword, aRegistration } from '../factories.ts';
import { A_PAGE } from './fake-engines.ts';

/**
 * Everybody who may come to a route: nobody signed in, accounts of each role in a workspace of their own, of whom the owner owns the
 * installation, too, and the account whose things are asked for, which owns its workspace.
 */
export const askers = ['nobody', 'member', 'supervisor', 'owner', 'herself'] as const;
export type Asker = (typeof askers)[number];

/** Ids of what belongs to one account, an owner of a workspace, alone. */
export interface Belongings {
  user: string;
  session: string;
  agent: string;
  /** What the agent reads, and does. */
  document: string;
  action: string;
  conversation: string;
  question: string;
  recording: string;
  room: string;
  /** Somebody in her room's lobby, and somebody in the room. */
  knocks: string;
  guest: string;
  /** Of her workspace. */
  invitation: string;
  otherMember: string;
}

interface RouteRight {
  /**
   * Whom it answers: anybody, whoever is signed in (with their own), owners of the installation, owners of a workspace, or her
   * alone, since it names something of hers.
   */
  for: 'anybody' | 'signed-in' | 'owners' | 'workspace-owners' | 'herself';
  /** The status for those whom it answers. */
  status: number;
  /** The status for accounts that it does not answer; nobody is answered 401. */
  refused: number;
  /** Statuses that are others for some. */
  but?: Partial<Record<Asker, number>>;
  /** What stands in place of `{…}` of its path, in order. */
  names?: (of: Belongings) => string[];
  /** What is sent, where the description of the route does not tell what is right. */
  body?: (userId: string) => object;
  /** A form with a recording is sent instead. */
  isUpload?: true;
}

const anybody = (status = 200): RouteRight => ({ for: 'anybody', status, refused: status });
const signedIn = (status = 200, body?: RouteRight['body']): RouteRight => ({
  for: 'signed-in',
  status,
  refused: status,
  ...(body ? { body } : {}),
});
const owners = (status = 200, more: Partial<RouteRight> = {}): RouteRight => ({
  for: 'owners',
  status,
  refused: 403,
  ...more,
});
const workspaceOwners = (status = 200, more: Partial<RouteRight> = {}): RouteRight => ({
  ...owners(status, more),
  for: 'workspace-owners',
});
/** Somebody else's is answered like what does not exist. */
const hers = (status: number, names: RouteRight['names'], more: Partial<RouteRight> = {}): RouteRight => ({
  for: 'herself',
  status,
  refused: 404,
  ...(names ? { names } : {}),
  ...more,
});
const ofDocument = (status: number, more: Partial<RouteRight> = {}) =>
  hers(status, ({ agent, document }) => [agent, document], more);
const ofAction = (status: number, more: Partial<RouteRight> = {}) =>
  hers(status, ({ agent, action }) => [agent, action], more);
/** That a room exists is known to whoever knows its name. */
const herRoom = (status: number, more: Partial<RouteRight> = {}) =>
  hers(status, ({ room }) => [room], { refused: 403, ...more });
const inHerRoom = (status: number, who: 'knocks' | 'guest') =>
  hers(status, (of) => [of.room, of[who]], { refused: 403 });

const aRoom = (participantIdentity: string) => ({
  roomName: `Room of ${participantIdentity}`,
  participantName: 'Ada',
  participantIdentity,
});
export const aDocument = { title: 'Returns', text: 'A lamp can be sent back within 45 days.' };
const anAgentForm = {
  name: 'Nora',
  companyName: 'Northwind',
  personality: 'Warm and brief.',
  companyInfo: 'Northwind is open from 9 to 17.',
  prompts: [],
};

/** Who may do what: every route of the API, once. A route that is not here fails `server/every-role.test.ts`. */
export const routeRights: Readonly<Record<string, RouteRight>> = {
  'GET /health': anybody(),
  'GET /ready': anybody(),
  'POST /api/auth/register': { ...anybody(201), body: () => aRegistration() },
  'POST /api/auth/login': {
    ...anybody(401),
    body: () => ({ email: 'nobody@example.com', password: aPassword }),
  },
  // Signed by LiveKit: no account's token opens it.
  'POST /api/livekit/webhook': { ...anybody(415), body: () => ({ event: 'room_started' }) },

  'GET /api/status': signedIn(),
  'GET /api/auth/me': signedIn(),
  'DELETE /api/auth/me': signedIn(204, () => ({ password: aPassword })),
  'PUT /api/auth/password': signedIn(204, () => ({
    currentPassword: aPassword,
    newPassword: 'another horse, another battery',
  })),
  'GET /api/auth/sessions': signedIn(),
  'DELETE /api/auth/sessions': signedIn(204),
  'DELETE /api/auth/sessions/{id}': hers(204, ({ session }) => [session]),
  'POST /api/auth/logout': signedIn(204),
  'GET /api/auth/options': anybody(),
  // No identity provider in tests of this kind: what answers says so.
  'POST /api/auth/oidc': anybody(404),
  'POST /api/auth/oidc/back': anybody(400),
  'POST /api/auth/oidc/sign-in': anybody(400),
  'POST /api/auth/password-reset': { ...anybody(202), body: () => ({ email: 'nobody@example.com' }) },
  'POST /api/auth/password-reset/confirm': anybody(400),
  'GET /api/auth/second-factor': signedIn(),
  'POST /api/auth/second-factor': signedIn(200, () => ({ password: aPassword })),
  'POST /api/auth/second-factor/confirm': signedIn(400, () => ({ code: '123456' })),
  'POST /api/auth/second-factor/recovery-codes': signedIn(409, () => ({ password: aPassword })),
  'DELETE /api/auth/second-factor': signedIn(204, () => ({ password: aPassword })),
  'GET /api/auth/export': signedIn(),

  'GET /api/members': workspaceOwners(),
  'PUT /api/members/{id}': workspaceOwners(200, {
    but: { owner: 404 },
    names: ({ otherMember }) => [otherMember],
    body: () => ({ role: 'supervisor' }),
  }),
  // Whoever owns the installation may take anybody out of it, and has done so when she comes.
  'DELETE /api/members/{id}': workspaceOwners(204, {
    but: { herself: 404 },
    names: ({ otherMember }) => [otherMember],
  }),
  'DELETE /api/members/{id}/sessions': workspaceOwners(204, { names: ({ otherMember }) => [otherMember] }),
  'GET /api/settings/second-factor': owners(),
  'PUT /api/settings/second-factor': owners(200, { body: () => ({ required: false }) }),
  'GET /api/settings/registration': owners(),
  'PUT /api/settings/registration': owners(200, { body: () => ({ mode: 'open' }) }),
  'GET /api/settings/engines': owners(),
  'PUT /api/settings/engines/{capability}': owners(200, {
    names: () => ['voice'],
    body: () => ({ values: {} }),
  }),
  'POST /api/settings/engines/{capability}/try': owners(200, { names: () => ['storage'], body: () => ({}) }),
  'GET /api/invitations': workspaceOwners(),
  'POST /api/invitations': workspaceOwners(201, {
    body: (userId) => ({ email: `${userId}@example.com`, role: 'member' }),
  }),
  'DELETE /api/invitations/{id}': workspaceOwners(204, {
    but: { owner: 404 },
    names: ({ invitation }) => [invitation],
  }),
  'GET /api/audit': owners(),

  'GET /api/preferences': signedIn(),
  'PUT /api/preferences': signedIn(200, () => ({ soundCues: false })),

  'GET /api/agents': signedIn(),
  'POST /api/agents': signedIn(201, () => anAgentForm),
  'POST /api/agents/try': signedIn(200, () => ({ agent: anAgentForm, message: 'When are you open?' })),
  'POST /api/agents/sayings': signedIn(200, () => ({ prompts: [] })),
  'POST /api/agents/writing-help': signedIn(200, () => ({ companyInfo: 'We open at nine.' })),
  'GET /api/agents/{id}': hers(200, ({ agent }) => [agent]),
  'PUT /api/agents/{id}': hers(200, ({ agent }) => [agent], { body: () => anAgentForm }),
  'DELETE /api/agents/{id}': hers(200, ({ agent }) => [agent]),
  'POST /api/agents/{id}/effects': hers(200, ({ agent }) => [agent], {
    body: () => ({ companyInfo: 'Northwind is open from 10 to 16.' }),
  }),
  'GET /api/agents/{id}/versions': hers(200, ({ agent }) => [agent]),
  'GET /api/agents/{id}/versions/{version}': hers(200, ({ agent }) => [agent, '1']),
  'POST /api/agents/{id}/versions/{version}/restore': hers(200, ({ agent }) => [agent, '1']),

  'GET /api/documents': signedIn(),
  'GET /api/documents/{documentId}': hers(200, ({ document }) => [document]),
  'GET /api/agents/{id}/documents': hers(200, ({ agent }) => [agent]),
  'POST /api/agents/{id}/documents': hers(201, ({ agent }) => [agent], { body: () => aDocument }),
  'POST /api/agents/{id}/documents/batch': hers(201, ({ agent }) => [agent], {
    body: () => ({ documents: [aDocument] }),
  }),
  'POST /api/agents/{id}/documents/preview': hers(200, ({ agent }) => [agent], {
    body: () => ({ url: A_PAGE }),
  }),
  'GET /api/agents/{id}/documents/{documentId}': ofDocument(200),
  'PUT /api/agents/{id}/documents/{documentId}': ofDocument(200, { body: () => aDocument }),
  'PATCH /api/agents/{id}/documents/{documentId}': ofDocument(200, { body: () => ({ title: 'Terms' }) }),
  'DELETE /api/agents/{id}/documents/{documentId}': ofDocument(204),
  'POST /api/agents/{id}/documents/{documentId}/read-again': ofDocument(202),
  'GET /api/agents/{id}/actions': hers(200, ({ agent }) => [agent]),
  'POST /api/agents/{id}/actions': hers(201, ({ agent }) => [agent], { body: () => anActionDraft }),
  'POST /api/agents/{id}/actions/tools': hers(200, ({ agent }) => [agent], {
    body: () => ({ url: 'https://tools.example/mcp' }),
  }),
  'PUT /api/agents/{id}/actions/{actionId}': ofAction(200, { body: () => anActionDraft }),
  'DELETE /api/agents/{id}/actions/{actionId}': ofAction(204),
  'POST /api/agents/{id}/actions/{actionId}/try': ofAction(200, {
    body: () => ({ inputs: { order: '4471' } }),
  }),

  'GET /api/conversations': signedIn(),
  'POST /api/conversations/reanalyze-sentiment': signedIn(),
  'GET /api/conversations/{id}/actions': hers(200, ({ conversation }) => [conversation]),
  'GET /api/conversations/{id}': hers(200, ({ conversation }) => [conversation]),
  'DELETE /api/conversations/{id}': hers(200, ({ conversation }) => [conversation]),
  'PUT /api/conversations/{id}/end': hers(200, ({ conversation }) => [conversation]),
  'POST /api/conversations/{id}/audio': hers(201, ({ conversation }) => [conversation], { isUpload: true }),
  'GET /api/conversations/stats/user/{userId}': hers(200, ({ user }) => [user], { refused: 403 }),
  'GET /api/recordings/{id}': hers(200, ({ recording }) => [recording]),
  'GET /api/insights/unanswered': signedIn(),
  'POST /api/insights/unanswered/{id}/answer': hers(200, ({ question }) => [question], {
    body: () => ({ answer: 'Yes, within five days.' }),
  }),
  'GET /api/insights/usage': signedIn(),
  'DELETE /api/insights/unanswered/{id}': hers(204, ({ question }) => [question]),

  'POST /api/livekit/create-room': signedIn(200, aRoom),
  'POST /api/livekit/join-room': signedIn(200, aRoom),
  'POST /api/livekit/create-test-room': signedIn(),
  'GET /api/livekit/rooms/{roomName}': herRoom(200),
  'PUT /api/livekit/rooms/{roomName}': herRoom(200, { body: () => ({ locked: true }) }),
  'POST /api/livekit/rooms/{roomName}/invites': herRoom(201),
  'POST /api/livekit/rooms/{roomName}/participants/{identity}/admit': inHerRoom(204, 'knocks'),
  'POST /api/livekit/rooms/{roomName}/participants/{identity}/mute': inHerRoom(204, 'guest'),
  'DELETE /api/livekit/rooms/{roomName}/participants/{identity}': inHerRoom(204, 'knocks'),
};

/** What somebody is answered at a route. */
export function statusFor(right: RouteRight, asker: Asker): number {
  if (right.for === 'anybody') return right.status;
  if (asker === 'nobody') return 401;
  const isAnswered =
    right.for === 'signed-in' ||
    (right.for.endsWith('owners') && asker === 'owner') ||
    (right.for === 'workspace-owners' && asker === 'herself') ||
    (right.for === 'herself' && asker === 'herself');
  return right.but?.[asker] ?? (isAnswered ? right.status : right.refused);
}

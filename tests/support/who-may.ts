import type { KeyScope } from '#shared/keys';
import { anActionDraft, aPassword, aRegistration } from '../factories.ts';
import { A_PAGE } from './fake-engines.ts';

/**
 * Everyone who may request a route: nobody signed in; another workspace's owner, also as owner of the
 * installation; members of her workspace by role; and the workspace's owner herself.
 */
export const askers = ['nobody', 'stranger', 'operator', 'member', 'supervisor', 'owner', 'herself'] as const;
export type Asker = (typeof askers)[number];

/** Ids of things that belong to only one account, a workspace's owner. */
export interface Belongings {
  user: string;
  session: string;
  agent: string;
  /** The agent's document and action. */
  document: string;
  action: string;
  conversation: string;
  question: string;
  recording: string;
  room: string;
  /** A person in her room's lobby, and one in the room. */
  knocks: string;
  guest: string;
  /** In her workspace. */
  invitation: string;
  key: string;
  otherMember: string;
}

interface RouteRight {
  /**
   * Whom the route serves. `supervisors` and `owners` act on their own workspace; those `of-hers` on hers,
   * which `members-of-hers` only read; `seen-by-supervisors`: her own things, which supervisors may read.
   */
  for:
    | 'anybody'
    | 'signed-in'
    | 'supervisors'
    | 'owners'
    | 'installation-owners'
    | 'members-of-hers'
    | 'supervisors-of-hers'
    | 'owners-of-hers'
    | 'seen-by-supervisors'
    | 'herself';
  /** The status for those it serves. */
  status: number;
  /** The status for other accounts; without a session it is 401. */
  refused: number;
  /** Exceptional statuses for some. */
  but?: Partial<Record<Asker, number>>;
  /** Values for the `{…}` of its path, in order. */
  names?: (of: Belongings) => string[];
  /** The body, if the route's description does not determine a valid one. */
  body?: (userId: string) => object;
  /** Sends a form with a recording instead. */
  isUpload?: true;
}

const anybody = (status = 200): RouteRight => ({ for: 'anybody', status, refused: status });
const signedIn = (status = 200, body?: RouteRight['body']): RouteRight => ({
  for: 'signed-in',
  status,
  refused: status,
  ...(body ? { body } : {}),
});
const inOwn = (whom: RouteRight['for'], status: number, more: Partial<RouteRight> = {}): RouteRight => ({
  for: whom,
  status,
  refused: 403,
  ...more,
});
const supervisors = (status = 200, body?: RouteRight['body']) =>
  inOwn('supervisors', status, body ? { body } : {});
const owners = (status = 200, more: Partial<RouteRight> = {}) => inOwn('owners', status, more);
const installationOwners = (status = 200, more: Partial<RouteRight> = {}) =>
  inOwn('installation-owners', status, more);
/** Another's thing is answered like one that does not exist. */
const hers = (status: number, names: RouteRight['names'], more: Partial<RouteRight> = {}): RouteRight => ({
  for: 'herself',
  status,
  refused: 404,
  ...(names ? { names } : {}),
  ...more,
});
/** Shared by members of her workspace: all may read it, supervisors and owners may change it. */
const looked = (names: RouteRight['names'], more: Partial<RouteRight> = {}) =>
  hers(200, names, { for: 'members-of-hers', ...more });
const changed = (status: number, names: RouteRight['names'], more: Partial<RouteRight> = {}) =>
  hers(status, names, { for: 'supervisors-of-hers', ...more });
const seen = (names: RouteRight['names']) => hers(200, names, { for: 'seen-by-supervisors' });
const ofDocument = (status: number, more: Partial<RouteRight> = {}) =>
  changed(status, ({ agent, document }) => [agent, document], more);
const ofAction = (status: number, more: Partial<RouteRight> = {}) =>
  changed(status, ({ agent, action }) => [agent, action], more);
/** Anyone who knows a room's name knows that it exists. */
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

/** Rights of every API route, once each. A missing route fails `server/app/every-role.test.ts`. */
export const routeRights: Readonly<Record<string, RouteRight>> = {
  'GET /health': anybody(),
  'GET /ready': anybody(),
  'POST /api/auth/register': { ...anybody(201), body: () => aRegistration() },
  'POST /api/auth/login': {
    ...anybody(401),
    body: () => ({ email: 'nobody@example.com', password: aPassword }),
  },
  // Signed by LiveKit: no account's token is accepted.
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
  // These tests have no identity provider, and the answer says so.
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

  'GET /api/members': owners(),
  'PUT /api/members/{id}': hers(200, undefined, {
    for: 'owners-of-hers',
    names: ({ otherMember }) => [otherMember],
    body: () => ({ role: 'supervisor' }),
  }),
  // The installation's owner may remove anyone, and has done so before she comes.
  'DELETE /api/members/{id}': hers(204, ({ otherMember }) => [otherMember], {
    for: 'owners-of-hers',
    but: { operator: 204, herself: 404 },
  }),
  'DELETE /api/members/{id}/sessions': hers(204, ({ otherMember }) => [otherMember], {
    for: 'owners-of-hers',
    but: { operator: 204 },
  }),
  'GET /api/settings/second-factor': installationOwners(),
  'PUT /api/settings/second-factor': installationOwners(200, { body: () => ({ required: false }) }),
  'GET /api/settings/registration': installationOwners(),
  'PUT /api/settings/registration': installationOwners(200, { body: () => ({ mode: 'open' }) }),
  'GET /api/settings/engines': installationOwners(),
  'PUT /api/settings/engines/{capability}': installationOwners(200, {
    names: () => ['voice'],
    body: () => ({ values: {} }),
  }),
  'POST /api/settings/engines/{capability}/try': installationOwners(200, {
    names: () => ['storage'],
    body: () => ({}),
  }),
  'GET /api/invitations': owners(),
  'POST /api/invitations': owners(201, {
    body: (userId) => ({ email: `${userId}@example.com`, role: 'member' }),
  }),
  'DELETE /api/invitations/{id}': hers(204, ({ invitation }) => [invitation], { for: 'owners-of-hers' }),
  'GET /api/keys': owners(),
  'POST /api/keys': owners(201, { body: () => ({ name: 'Till', scopes: ['agents:read'] }) }),
  'DELETE /api/keys/{id}': hers(204, ({ key }) => [key], { for: 'owners-of-hers' }),
  'GET /api/audit': installationOwners(),

  'GET /api/preferences': signedIn(),
  'PUT /api/preferences': signedIn(200, () => ({ soundCues: false })),

  'GET /api/agents': signedIn(),
  'POST /api/agents': supervisors(201, () => anAgentForm),
  'POST /api/agents/try': supervisors(200, () => ({ agent: anAgentForm, message: 'When are you open?' })),
  'POST /api/agents/sayings': supervisors(200, () => ({ prompts: [] })),
  'POST /api/agents/writing-help': supervisors(200, () => ({ companyInfo: 'We open at nine.' })),
  'GET /api/agents/{id}': looked(({ agent }) => [agent]),
  'PUT /api/agents/{id}': changed(200, ({ agent }) => [agent], { body: () => anAgentForm }),
  'DELETE /api/agents/{id}': changed(200, ({ agent }) => [agent]),
  'POST /api/agents/{id}/effects': changed(200, ({ agent }) => [agent], {
    body: () => ({ companyInfo: 'Northwind is open from 10 to 16.' }),
  }),
  'GET /api/agents/{id}/versions': looked(({ agent }) => [agent]),
  'GET /api/agents/{id}/versions/{version}': looked(({ agent }) => [agent, '1']),
  'POST /api/agents/{id}/versions/{version}/restore': changed(200, ({ agent }) => [agent, '1']),

  'GET /api/documents': signedIn(),
  'GET /api/documents/{documentId}': looked(({ document }) => [document]),
  'GET /api/agents/{id}/documents': looked(({ agent }) => [agent]),
  'POST /api/agents/{id}/documents': changed(201, ({ agent }) => [agent], { body: () => aDocument }),
  'POST /api/agents/{id}/documents/batch': changed(201, ({ agent }) => [agent], {
    body: () => ({ documents: [aDocument] }),
  }),
  'POST /api/agents/{id}/documents/preview': changed(200, ({ agent }) => [agent], {
    body: () => ({ url: A_PAGE }),
  }),
  'GET /api/agents/{id}/documents/{documentId}': looked(({ agent, document }) => [agent, document]),
  'PUT /api/agents/{id}/documents/{documentId}': ofDocument(200, { body: () => aDocument }),
  'PATCH /api/agents/{id}/documents/{documentId}': ofDocument(200, { body: () => ({ title: 'Terms' }) }),
  'DELETE /api/agents/{id}/documents/{documentId}': ofDocument(204),
  'POST /api/agents/{id}/documents/{documentId}/read-again': ofDocument(202),
  'GET /api/agents/{id}/actions': looked(({ agent }) => [agent]),
  'POST /api/agents/{id}/actions': changed(201, ({ agent }) => [agent], { body: () => anActionDraft }),
  'POST /api/agents/{id}/actions/tools': changed(200, ({ agent }) => [agent], {
    body: () => ({ url: 'https://tools.example/mcp' }),
  }),
  'PUT /api/agents/{id}/actions/{actionId}': ofAction(200, { body: () => anActionDraft }),
  'DELETE /api/agents/{id}/actions/{actionId}': ofAction(204),
  'POST /api/agents/{id}/actions/{actionId}/try': ofAction(200, {
    body: () => ({ inputs: { order: '4471' } }),
  }),

  'GET /api/conversations': signedIn(),
  'POST /api/conversations/reanalyze-sentiment': signedIn(),
  'GET /api/conversations/{id}/actions': seen(({ conversation }) => [conversation]),
  'GET /api/conversations/{id}': seen(({ conversation }) => [conversation]),
  'DELETE /api/conversations/{id}': hers(200, ({ conversation }) => [conversation]),
  'PUT /api/conversations/{id}/end': hers(200, ({ conversation }) => [conversation]),
  'POST /api/conversations/{id}/audio': hers(201, ({ conversation }) => [conversation], { isUpload: true }),
  'GET /api/conversations/stats/user/{userId}': hers(200, ({ user }) => [user], { refused: 403 }),
  'GET /api/contacts': supervisors(),
  'GET /api/contacts/{id}': changed(200, ({ user }) => [user]),
  // A member is removed as a member.
  'DELETE /api/contacts/{id}': changed(409, ({ user }) => [user]),
  'GET /api/recordings/{id}': seen(({ recording }) => [recording]),
  'GET /api/insights/unanswered': supervisors(),
  'POST /api/insights/unanswered/{id}/answer': changed(200, ({ question }) => [question], {
    body: () => ({ answer: 'Yes, within five days.' }),
  }),
  'GET /api/insights/usage': signedIn(),
  'DELETE /api/insights/unanswered/{id}': changed(204, ({ question }) => [question]),

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

/** The routes that answer keys, by the scope that these need. Every other route of `routeRights` answers none. */
export const keyRoutes: Readonly<Partial<Record<KeyScope, readonly string[]>>> = {
  'agents:read': [
    'GET /api/agents',
    'GET /api/agents/{id}',
    'GET /api/agents/{id}/versions',
    'GET /api/agents/{id}/versions/{version}',
    'GET /api/agents/{id}/actions',
  ],
  'agents:write': [
    'POST /api/agents',
    'PUT /api/agents/{id}',
    'DELETE /api/agents/{id}',
    'POST /api/agents/{id}/versions/{version}/restore',
    'POST /api/agents/{id}/actions',
    'PUT /api/agents/{id}/actions/{actionId}',
    'DELETE /api/agents/{id}/actions/{actionId}',
  ],
  'documents:read': [
    'GET /api/documents',
    'GET /api/documents/{documentId}',
    'GET /api/agents/{id}/documents',
    'GET /api/agents/{id}/documents/{documentId}',
  ],
  'documents:write': [
    'POST /api/agents/{id}/documents',
    'POST /api/agents/{id}/documents/batch',
    'PUT /api/agents/{id}/documents/{documentId}',
    'PATCH /api/agents/{id}/documents/{documentId}',
    'DELETE /api/agents/{id}/documents/{documentId}',
    'POST /api/agents/{id}/documents/{documentId}/read-again',
  ],
  'conversations:read': [
    'GET /api/conversations',
    'GET /api/conversations/{id}',
    'GET /api/conversations/{id}/actions',
    'GET /api/recordings/{id}',
  ],
  'contacts:read': ['GET /api/contacts', 'GET /api/contacts/{id}'],
  'insights:read': ['GET /api/insights/unanswered'],
};

const answered: Readonly<Record<RouteRight['for'], readonly Asker[]>> = {
  anybody: askers,
  'signed-in': askers,
  supervisors: ['stranger', 'operator', 'supervisor', 'owner', 'herself'],
  owners: ['stranger', 'operator', 'owner', 'herself'],
  'installation-owners': ['operator'],
  'members-of-hers': ['member', 'supervisor', 'owner', 'herself'],
  'supervisors-of-hers': ['supervisor', 'owner', 'herself'],
  'owners-of-hers': ['owner', 'herself'],
  'seen-by-supervisors': ['supervisor', 'owner', 'herself'],
  herself: ['herself'],
};

/** Whether a route serves this asker. */
export const isFor = (right: RouteRight, asker: Asker): boolean => answered[right.for].includes(asker);

/** The status that an asker gets. */
export function statusFor(right: RouteRight, asker: Asker): number {
  if (right.for === 'anybody') return right.status;
  if (asker === 'nobody') return 401;
  if (isFor(right, asker)) return right.but?.[asker] ?? right.status;
  // The role is checked before the named thing.
  const isBelow = asker === 'member' || (asker === 'supervisor' && right.for === 'owners-of-hers');
  const isByRole = right.for === 'supervisors-of-hers' || right.for === 'owners-of-hers';
  return right.but?.[asker] ?? (isByRole && isBelow ? 403 : right.refused);
}

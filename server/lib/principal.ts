import type { Role } from '#shared/accounts';
import type { KeyScope } from '#shared/keys';
import { refusal } from '#shared/refusals/refusal';
import { type AppError, forbidden, forSupervisors } from './errors.ts';
import { type ContactScope, everybodyIn, memberScope, type Scope } from './scope.ts';
import type { Session } from './session.ts';

/** A member of a workspace, in one of their sessions. */
interface SignedInMember {
  kind: 'member';
  session: Session;
}

/** Somebody without an account, in a visit: one contact, served by one agent. */
interface Visitor {
  kind: 'visitor';
  /** Names the visit. It is no secret: it lets nobody in. */
  visitId: string;
  scope: ContactScope;
  agentId: string;
}

/** A program that a workspace gave a key. */
export interface KeyHolder {
  kind: 'key';
  keyId: string;
  workspaceId: string;
  scopes: readonly KeyScope[];
}

/** Asks the server for something. */
export type Principal = SignedInMember | Visitor | KeyHolder;

export const memberIn = (session: Session): SignedInMember => ({ kind: 'member', session });

/** Whether somebody has to set up a second factor before they may do anything else. */
export const mustSetUpSecondFactor = (principal: Principal): boolean =>
  principal.kind === 'member' && principal.session.user.mustSetUpSecondFactor === true;

/** Whose things a principal asks for: their own; a key's, everybody's in its workspace. */
export function scopeOf(principal: Principal): Scope {
  return principal.kind === 'key' ? everybodyIn(principal) : contactScopeOf(principal);
}

/**
 * The contact that a principal is, in its workspace.
 * @throws AppError forbidden for a key, which is nobody's own
 */
export function contactScopeOf(principal: Principal): ContactScope {
  switch (principal.kind) {
    case 'member':
      return memberScope(principal.session.user);
    case 'visitor':
      return principal.scope;
    case 'key':
      throw refusedKey();
  }
}

/** Which conversations somebody may look at. */
export interface Sight {
  workspaceId: string;
  /** The member or visitor; null: a program. */
  viewerId: string | null;
  /** Everybody's in the workspace; otherwise the viewer's own and those assigned to them. */
  seesAll: boolean;
}

export function sightOf(principal: Principal): Sight {
  if (principal.kind === 'key') return { workspaceId: principal.workspaceId, viewerId: null, seesAll: true };
  const { workspaceId, contactId } = contactScopeOf(principal);
  const seesAll = principal.kind === 'member' && principal.session.user.role !== 'member';
  return { workspaceId, viewerId: contactId, seesAll };
}

/** The id of the session, visit or key that a principal came with. What it opened ends with it. */
export function passOf(principal: Principal): string {
  switch (principal.kind) {
    case 'member':
      return principal.session.id;
    case 'visitor':
      return principal.visitId;
    case 'key':
      return principal.keyId;
  }
}

/** One kind of principal that a route or an event serves. */
export type Serves =
  | { kind: 'member'; least: Role | 'installation-owner' }
  | { kind: 'visitor' }
  | { kind: 'key'; scope: KeyScope };

/** Members with this role in their workspace, or with more rights. */
export const member = (least: Role = 'member'): Serves => ({ kind: 'member', least });

/** Owners of the installation. */
export const installationOwner = (): Serves => ({ kind: 'member', least: 'installation-owner' });

export const visitor = (): Serves => ({ kind: 'visitor' });

/** Keys with this scope. */
export const key = (scope: KeyScope): Serves => ({ kind: 'key', scope });

/** Where nothing is said: every member, and nobody else. */
export const EVERY_MEMBER: readonly Serves[] = [member()];

/** Those who may be in a call of their own: members, and visitors with the agent of their visit. */
export const CALLERS: readonly Serves[] = [member(), visitor()];

/** @throws AppError forbidden for a principal that is not served */
export function refuseUnserved(serves: readonly Serves[], principal: Principal): void {
  const refusals = serves
    .filter(({ kind }) => kind === principal.kind)
    .map((each) => refusalBy(each, principal));
  if (refusals.includes(null)) return;
  throw refusals[0] ?? refusedKind(principal);
}

/** Null: it is served. */
function refusalBy(serves: Serves, principal: Principal): AppError | null {
  if (serves.kind === 'member' && principal.kind === 'member')
    return belowRole(serves.least, principal.session);
  if (serves.kind === 'key' && principal.kind === 'key' && !principal.scopes.includes(serves.scope))
    return forbidden(refusal('common.key-scope', { scope: serves.scope }));
  return null;
}

function belowRole(least: Role | 'installation-owner', { user }: Session): AppError | null {
  const { role, isInstallationOwner } = user;
  if (least === 'installation-owner')
    return isInstallationOwner ? null : forbidden('common.installation-owners');
  if (least === 'owner' && role !== 'owner') return forbidden('common.workspace-owners');
  return least === 'supervisor' && role === 'member' ? forSupervisors() : null;
}

const refusedKind = ({ kind }: Principal): AppError =>
  kind === 'key' ? refusedKey() : forbidden('common.members');

const refusedKey = (): AppError => forbidden('common.no-keys');

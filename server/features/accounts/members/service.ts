import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { AuditService } from '#server/features/audit/service';
import { conflict, forbidden, notFound } from '#server/lib/errors';
import type { ContactScope } from '#server/lib/scope';
import type { Member as SignedInMember } from '#server/lib/session';
import type { Role } from '#shared/accounts';
import type { Member } from '#shared/members';
import type { UserRecord } from '../repository.ts';
import type { SessionsService } from '../sessions/service.ts';
import type { LastOwner, MemberRecord, MembersRepository } from './repository.ts';

/** Removes a member's data in one feature, including what is stored outside the database. */
type Clearing = (scope: ContactScope) => Promise<void>;

/**
 * The members of a workspace and their roles; ensures that an owner always remains. Owners of the installation see the
 * members of all workspaces and may remove them, since they answer for the server; roles are given within a workspace
 * only.
 */
export class MembersService {
  readonly #repository: MembersRepository;
  readonly #sessions: SessionsService;
  readonly #audit: AuditService;
  readonly #belongings: readonly Clearing[];
  readonly #belongingsOfWorkspace: readonly Clearing[];

  constructor(parts: {
    repository: MembersRepository;
    sessions: SessionsService;
    audit: AuditService;
    /** Clears a member's data before their account is deleted; the database deletes the rest with it. */
    belongings: readonly Clearing[];
    /** Clears a workspace's data before its last member is deleted. */
    belongingsOfWorkspace: readonly Clearing[];
  }) {
    this.#repository = parts.repository;
    this.#sessions = parts.sessions;
    this.#audit = parts.audit;
    this.#belongings = parts.belongings;
    this.#belongingsOfWorkspace = parts.belongingsOfWorkspace;
  }

  /** Oldest first. */
  async list(owner: SignedInMember): Promise<Member[]> {
    return (await this.#repository.list(seenBy(owner))).map(present);
  }

  /** @throws AppError not-found; conflict for the last owner */
  async changeRole(owner: SignedInMember, id: string, role: Role, address: string): Promise<Member> {
    const { workspaceId, isInstallationOwner } = owner;
    const found = isUuid(id) ? await this.#repository.find(workspaceId, id) : null;
    refuseAbove(owner, found);
    const before = isUuid(id)
      ? await this.#repository.changeRole(workspaceId, id, role, isInstallationOwner)
      : null;
    if (before === 'last-owner' || before === 'last-installation-owner') throw lastOwner(before);
    const member = before && (await this.#repository.find(workspaceId, id));
    if (!member) throw missing();
    if (before !== role)
      await this.#audit.record({
        action: 'role-changed',
        actor: actorOf(owner),
        subject: `${member.email}: ${before} to ${role}`,
        address,
      });
    return present(member);
  }

  /**
   * Signs a member out everywhere.
   * @throws AppError not-found
   */
  async endSessions(owner: SignedInMember, id: string, address: string): Promise<void> {
    const member = isUuid(id) ? await this.#repository.find(seenBy(owner), id) : null;
    if (!member) throw missing();
    refuseAbove(owner, member);
    await this.#sessions.endAll(member.id);
    const subject = `all sessions of ${member.email}`;
    await this.#audit.record({ action: 'session-ended', actor: actorOf(owner), subject, address });
  }

  /**
   * Deletes a member's account and everything in it.
   * @throws AppError not-found; conflict for one's own account
   */
  async remove(owner: SignedInMember, id: string, address: string): Promise<void> {
    const member = isUuid(id) ? await this.#repository.find(seenBy(owner), id) : null;
    if (!member) throw missing();
    if (member.id === owner._id) throw conflict('accounts.remove-yourself');
    refuseAbove(owner, member);
    await this.#erase(member.id);
    await this.#audit.record({
      action: 'member-removed',
      actor: actorOf(owner),
      subject: member.email,
      address,
    });
  }

  /**
   * Deletes one's own account and everything in it.
   * @throws AppError conflict for the last owner while other members remain
   */
  async erase(user: SignedInMember, address: string): Promise<void> {
    await this.#erase(user._id);
    await this.#audit.record({ action: 'erased', actor: actorOf(user), address });
  }

  /**
   * Replaces a held account by an empty one with the same address, name, role and provider identity.
   * @returns null if it is not held, or no longer
   */
  async startAnew(userId: string): Promise<UserRecord | null> {
    if (!(await this.#repository.isHeld(userId))) return null;
    await this.#clear(userId);
    return this.#repository.replaceHeld(userId, uuidv7());
  }

  async #erase(userId: string): Promise<void> {
    // Steps down first, so that the check for the last owner holds whatever happens at the same moment.
    const isLast = await this.#repository.stepDown(userId);
    if (isLast) throw lastOwner(isLast);
    await this.#clear(userId);
    // Another account may have been made meanwhile.
    const isLastByNow = await this.#repository.delete(userId);
    if (isLastByNow) throw lastOwner(isLastByNow);
  }

  async #clear(userId: string): Promise<void> {
    await this.#sessions.endAll(userId);
    const member = await this.#repository.find(null, userId);
    if (!member) return;
    const scope = { workspaceId: member.workspaceId, contactId: member.id };
    for (const clear of this.#belongings) await clear(scope);
    if (!(await this.#repository.isAlone(userId))) return;
    for (const clear of this.#belongingsOfWorkspace) await clear(scope);
  }
}

const missing = () => notFound('member');
const lastOwner = (of: LastOwner) =>
  conflict(of === 'last-owner' ? 'accounts.last-owner-of-workspace' : 'accounts.last-owner');

/** An owner of a workspace alone cannot change an owner of the installation. @throws AppError forbidden */
function refuseAbove(owner: SignedInMember, member: MemberRecord | null): void {
  if (member?.isInstallationOwner && !owner.isInstallationOwner)
    throw forbidden('common.installation-owners');
}

/** The workspace whose members an owner sees; null: all workspaces. */
const seenBy = ({ workspaceId, isInstallationOwner }: SignedInMember) =>
  isInstallationOwner ? null : workspaceId;

const actorOf = ({ _id, email }: SignedInMember) => ({ id: _id, email });

const present = ({ id, workspaceId, name, email, role, createdAt, lastUsedAt }: MemberRecord): Member => ({
  _id: id,
  workspaceId,
  name,
  email,
  role,
  createdAt: createdAt.toISOString(),
  ...(lastUsedAt ? { lastUsedAt: lastUsedAt.toISOString() } : {}),
});

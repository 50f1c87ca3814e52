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

/** Removes what is somebody's in one feature, with what lies outside of the database. */
type Clearing = (scope: ContactScope) => Promise<void>;

/**
 * Who is a member of a workspace, as what, and that there is always an owner. Owners of the installation see the members of all
 * workspaces and may take them out, since they answer for the server; roles are given within a workspace alone.
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
    /** Clears what is theirs before an account goes; what else is in the database goes with it. */
    belongings: readonly Clearing[];
    /** Clears what is their workspace's, before the last member of it goes. */
    belongingsOfWorkspace: readonly Clearing[];
  }) {
    this.#repository = parts.repository;
    this.#sessions = parts.sessions;
    this.#audit = parts.audit;
    this.#belongings = parts.belongings;
    this.#belongingsOfWorkspace = parts.belongingsOfWorkspace;
  }

  /** The oldest first. */
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
   * Signs somebody out everywhere.
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
   * Takes somebody's account away, with everything that is theirs.
   * @throws AppError not-found; conflict for oneself
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
   * Deletes one's own account, with everything that is theirs.
   * @throws AppError conflict for the last owner of others
   */
  async erase(user: SignedInMember, address: string): Promise<void> {
    await this.#erase(user._id);
    await this.#audit.record({ action: 'erased', actor: actorOf(user), address });
  }

  /**
   * Puts an empty account in the place of one that waits for its person: the address, the name, the role and the way in by a
   * provider stay.
   * @returns null for one that does not wait, or no longer
   */
  async startAnew(userId: string): Promise<UserRecord | null> {
    if (!(await this.#repository.isHeld(userId))) return null;
    await this.#clear(userId);
    return this.#repository.replaceHeld(userId, uuidv7());
  }

  async #erase(userId: string): Promise<void> {
    // First of all: who is no owner any more is not the last one, whatever happens at the same moment.
    const isLast = await this.#repository.stepDown(userId);
    if (isLast) throw lastOwner(isLast);
    await this.#clear(userId);
    // Somebody may have made an account meanwhile.
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

/** Who owns no more than a workspace does nothing to an owner of the installation. @throws AppError forbidden */
function refuseAbove(owner: SignedInMember, member: MemberRecord | null): void {
  if (member?.isInstallationOwner && !owner.isInstallationOwner)
    throw forbidden('common.installation-owners');
}

/** Whose members an owner sees; null: everybody's. */
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

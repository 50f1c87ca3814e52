import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { conflict, notFound } from '#server/errors';
import type { AuditService } from '#server/features/audit/service';
import type { Role, User } from '#shared/accounts';
import type { Member } from '#shared/members';
import type { UserRecord } from '../repository.ts';
import type { SessionsService } from '../sessions/service.ts';
import type { MemberRecord, MembersRepository } from './repository.ts';

/** Removes what is somebody's in one feature, with what lies outside of the database. */
type Clearing = (userId: string) => Promise<void>;

/** Who has an account here, as what, and that there is always an owner. */
export class MembersService {
  readonly #repository: MembersRepository;
  readonly #sessions: SessionsService;
  readonly #audit: AuditService;
  readonly #belongings: readonly Clearing[];

  constructor(parts: {
    repository: MembersRepository;
    sessions: SessionsService;
    audit: AuditService;
    /** Clears what is theirs before an account goes; what else is in the database goes with it. */
    belongings: readonly Clearing[];
  }) {
    this.#repository = parts.repository;
    this.#sessions = parts.sessions;
    this.#audit = parts.audit;
    this.#belongings = parts.belongings;
  }

  /** The oldest first. */
  async list(): Promise<Member[]> {
    return (await this.#repository.list()).map(present);
  }

  /** @throws AppError not-found; conflict for the last owner */
  async changeRole(owner: User, id: string, role: Role, address: string): Promise<Member> {
    const before = isUuid(id) ? await this.#repository.changeRole(id, role) : null;
    if (before === 'last-owner') throw lastOwner();
    const member = before && (await this.#repository.find(id));
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
  async endSessions(owner: User, id: string, address: string): Promise<void> {
    const member = isUuid(id) ? await this.#repository.find(id) : null;
    if (!member) throw missing();
    await this.#sessions.endAll(member.id);
    const subject = `all sessions of ${member.email}`;
    await this.#audit.record({ action: 'session-ended', actor: actorOf(owner), subject, address });
  }

  /**
   * Takes somebody's account away, with everything that is theirs.
   * @throws AppError not-found; conflict for oneself
   */
  async remove(owner: User, id: string, address: string): Promise<void> {
    const member = isUuid(id) ? await this.#repository.find(id) : null;
    if (!member) throw missing();
    if (member.id === owner._id)
      throw conflict('You cannot remove yourself. Delete your own account in its settings.');
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
  async erase(user: User, address: string): Promise<void> {
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
    const isLast = (await this.#repository.changeRole(userId, 'member')) === 'last-owner';
    if (isLast && (await this.#repository.count()) > 1) throw lastOwner();
    await this.#clear(userId);
    // Somebody may have made an account meanwhile.
    if (!(await this.#repository.delete(userId))) throw lastOwner();
  }

  async #clear(userId: string): Promise<void> {
    await this.#sessions.endAll(userId);
    for (const clear of this.#belongings) await clear(userId);
  }
}

const missing = () => notFound('member');
const lastOwner = () =>
  conflict('This is the last owner. Make somebody else an owner first: an installation needs one.');

const actorOf = ({ _id, email }: User) => ({ id: _id, email });

const present = ({ id, name, email, role, createdAt, lastUsedAt }: MemberRecord): Member => ({
  _id: id,
  name,
  email,
  role,
  createdAt: createdAt.toISOString(),
  ...(lastUsedAt ? { lastUsedAt: lastUsedAt.toISOString() } : {}),
});

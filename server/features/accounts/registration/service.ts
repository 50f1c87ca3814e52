import { createHash, randomBytes } from 'node:crypto';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { AuditService } from '#server/features/audit/service';
import { alreadyAMember, conflict, forbidden, notFound } from '#server/lib/errors';
import type { Member } from '#server/lib/session';
import {
  type Invitation,
  type InvitationRequest,
  type NewInvitation,
  type RegistrationMode,
  registrationSettingSchema,
} from '#shared/members';
import type { Admission } from '../repository.ts';
import type { InvitationRecord, RegistrationRepository, UsableInvitation } from './repository.ts';

const INVITATION_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Who may make an account here: everybody, whom an owner invited, or nobody. The first account of an installation may always be
 * made. While registration is open, owners of any workspace invite into it; otherwise those of the installation alone.
 */
export class RegistrationService {
  readonly #repository: RegistrationRepository;
  readonly #audit: AuditService;
  readonly #usually: RegistrationMode;
  readonly #now: () => number;

  constructor(parts: {
    repository: RegistrationRepository;
    audit: AuditService;
    /** What holds until an owner settles it. */
    usually: RegistrationMode;
    now?: () => number;
  }) {
    this.#repository = parts.repository;
    this.#audit = parts.audit;
    this.#usually = parts.usually;
    this.#now = parts.now ?? Date.now;
  }

  async mode(): Promise<RegistrationMode> {
    const settled = registrationSettingSchema.safeParse({ mode: await this.#repository.mode() });
    return settled.data?.mode ?? this.#usually;
  }

  async settleMode(owner: Member, mode: RegistrationMode, address: string): Promise<void> {
    await this.#repository.settleMode(mode);
    await this.#record('settings-changed', owner, `registration: ${mode}`, address);
  }

  /**
   * Whether somebody may make an account.
   * @param secret of the link by which they came, if they came by one
   * @returns `alone`: with a workspace of their own; null: so, too, but only if it is the first account of all
   * @throws AppError forbidden
   */
  async admit(email: string, secret: string | undefined): Promise<Admission | 'alone' | null> {
    const mode = await this.mode();
    if (mode !== 'closed' && secret !== undefined) {
      const invitation = await this.#repository.findBySecret(hash(secret), new Date(this.#now()));
      if (!invitation || !mayLetIn(invitation.isByInstallationOwner, mode))
        throw forbidden('accounts.invitation-used');
      if (invitation.email !== email) throw forbidden('accounts.invitation-for-another');
      return admissionBy(invitation);
    }
    if (mode === 'open') return 'alone';
    if (!(await this.#repository.hasUsers())) return null;
    throw this.refusal(mode);
  }

  /**
   * As `admit`, for somebody who comes from an identity provider: an invitation for an address that is theirs needs no secret.
   * @throws AppError forbidden
   */
  async admitFrom(email: string, isVerified: boolean): Promise<Admission | 'alone' | null> {
    const mode = await this.mode();
    const found = isVerified ? await this.#repository.findByEmail(email, new Date(this.#now())) : [];
    const invitation = found.find(({ isByInstallationOwner }) => mayLetIn(isByInstallationOwner, mode));
    return invitation ? admissionBy(invitation) : this.admit(email, undefined);
  }

  /** What somebody is told who may not make an account. */
  refusal(why: RegistrationMode | 'ownerless') {
    if (why === 'ownerless') return forbidden('accounts.registration-lost');
    return forbidden(
      why === 'closed' ? 'accounts.registration-closed' : 'accounts.registration-by-invitation',
    );
  }

  /**
   * Makes a link by which somebody may make an account in the owner's workspace, in place of an earlier one for the same address.
   * @param pageUrl the address of the page, without a slash at its end
   * @throws AppError email-taken, conflict while registration is closed, forbidden while only owners of the installation invite
   */
  async invite(
    owner: Member,
    { email, role }: InvitationRequest,
    pageUrl: string,
    address: string,
  ): Promise<NewInvitation> {
    const mode = await this.mode();
    if (!owner.isInstallationOwner && mode !== 'open') throw forbidden('accounts.registration-not-open');
    if (await this.#repository.hasAccount(email)) throw alreadyAMember();
    if (mode === 'closed') throw conflict('accounts.registration-closed-to-invited');
    const secret = randomBytes(32).toString('base64url');
    const invitation = {
      id: uuidv7(),
      workspaceId: owner.workspaceId,
      email,
      role,
      secretHash: hash(secret),
      invitedBy: owner._id,
      createdAt: new Date(this.#now()),
      expiresAt: new Date(this.#now() + INVITATION_LIFE_MS),
    };
    await this.#repository.insert(invitation);
    await this.#record('invited', owner, `${email} as ${role}`, address);
    // Behind the #, which browsers keep to themselves: no log on the way gets to see it.
    const fragment = new URLSearchParams({ invitation: secret, email });
    return { ...present(invitation), link: `${pageUrl}/register#${fragment}` };
  }

  async invitations({ workspaceId }: Member): Promise<Invitation[]> {
    return (await this.#repository.list(workspaceId, new Date(this.#now()))).map(present);
  }

  /** @throws AppError not-found */
  async withdraw(owner: Member, id: string, address: string): Promise<void> {
    const withdrawn = isUuid(id) ? await this.#repository.delete(owner.workspaceId, id) : null;
    if (!withdrawn) throw notFound('invitation');
    await this.#record('settings-changed', owner, `invitation withdrawn: ${withdrawn.email}`, address);
  }

  async removeExpired(): Promise<void> {
    await this.#repository.deleteExpired(new Date(this.#now()));
  }

  #record(action: 'settings-changed' | 'invited', owner: Member, subject: string, address: string) {
    return this.#audit.record({ action, actor: { id: owner._id, email: owner.email }, subject, address });
  }
}

const mayLetIn = (isInstallationOwner: boolean, mode: RegistrationMode) =>
  isInstallationOwner ? mode !== 'closed' : mode === 'open';

/** Whom an owner of the installation makes an owner owns it, too. */
const admissionBy = ({ id, workspaceId, role, isByInstallationOwner }: UsableInvitation): Admission => ({
  invitationId: id,
  workspaceId,
  role,
  isInstallationOwner: role === 'owner' && isByInstallationOwner,
});

/** A random secret needs no slow hash: there is nothing to guess. */
const hash = (secret: string) => createHash('sha256').update(secret).digest('hex');

const present = ({ id, email, role, createdAt, expiresAt }: InvitationRecord): Invitation => ({
  _id: id,
  email,
  role,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

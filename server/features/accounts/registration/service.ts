import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { AuditService } from '#server/features/audit/service';
import { alreadyAMember, conflict, forbidden, notFound } from '#server/lib/errors';
import type { Member } from '#server/lib/session';
import { hashToken, newToken } from '#server/lib/tokens';
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
 * Decides who may make an account: everybody, invited people, or nobody. The first account of an installation is always
 * allowed. While registration is open, owners of any workspace invite into it; otherwise only owners of the
 * installation invite.
 */
export class RegistrationService {
  readonly #repository: RegistrationRepository;
  readonly #audit: AuditService;
  readonly #usually: RegistrationMode;
  readonly #now: () => number;

  constructor(parts: {
    repository: RegistrationRepository;
    audit: AuditService;
    /** The mode until an owner sets one. */
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
   * Checks whether a person may make an account.
   * @param secret of the invitation link, if they have one
   * @returns `alone`: with a new workspace; null: the same, but only for the first account of all
   * @throws AppError forbidden
   */
  async admit(email: string, secret: string | undefined): Promise<Admission | 'alone' | null> {
    const mode = await this.mode();
    if (mode !== 'closed' && secret !== undefined) {
      const invitation = await this.#repository.findBySecret(hashToken(secret), new Date(this.#now()));
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
   * Like `admit`, for a person from an identity provider: an invitation for their verified address needs no secret.
   * @throws AppError forbidden
   */
  async admitFrom(email: string, isVerified: boolean): Promise<Admission | 'alone' | null> {
    const mode = await this.mode();
    const found = isVerified ? await this.#repository.findByEmail(email, new Date(this.#now())) : [];
    const invitation = found.find(({ isByInstallationOwner }) => mayLetIn(isByInstallationOwner, mode));
    return invitation ? admissionBy(invitation) : this.admit(email, undefined);
  }

  /** The error for a person who may not make an account. */
  refusal(why: RegistrationMode | 'ownerless') {
    if (why === 'ownerless') return forbidden('accounts.registration-lost');
    return forbidden(
      why === 'closed' ? 'accounts.registration-closed' : 'accounts.registration-by-invitation',
    );
  }

  /**
   * Makes an invitation link into the owner's workspace, replacing an earlier one for the same address.
   * @param pageUrl the address of the page, without a trailing slash
   * @throws AppError email-taken, conflict while registration is closed, forbidden while only owners of the
   *   installation invite
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
    const secret = newToken();
    const invitation = {
      id: uuidv7(),
      workspaceId: owner.workspaceId,
      email,
      role,
      secretHash: hashToken(secret),
      invitedBy: owner._id,
      createdAt: new Date(this.#now()),
      expiresAt: new Date(this.#now() + INVITATION_LIFE_MS),
    };
    await this.#repository.insert(invitation);
    await this.#record('invited', owner, `${email} as ${role}`, address);
    // After the #, which browsers do not send: the secret appears in no log on the way.
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

/** An owner invited by an owner of the installation owns the installation, too. */
const admissionBy = ({ id, workspaceId, role, isByInstallationOwner }: UsableInvitation): Admission => ({
  invitationId: id,
  workspaceId,
  role,
  isInstallationOwner: role === 'owner' && isByInstallationOwner,
});

const present = ({ id, email, role, createdAt, expiresAt }: InvitationRecord): Invitation => ({
  _id: id,
  email,
  role,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

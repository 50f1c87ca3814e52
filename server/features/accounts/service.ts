import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { AuditService } from '#server/features/audit/service';
import { emailTaken, forbidden, invalidCredentials, notFound, startSignInAgain } from '#server/lib/errors';
import type { Seal } from '#server/lib/seal';
import type { Session } from '#server/lib/session';
import type { Credentials, PasswordChange, Registration, SignedIn } from '#shared/accounts';
import type { AuditAction } from '#shared/audit';
import type { MembersService } from './members/service.ts';
import { refuseWeakPassword } from './password-policy.ts';
import type { Passwords } from './passwords.ts';
import type { Prove } from './proof.ts';
import type { RegistrationService } from './registration/service.ts';
import type { AccountsRepository, UserRecord } from './repository.ts';
import type { SecondFactorService } from './second-factor/service.ts';
import { type Caller, presentUser, type SessionsService } from './sessions/service.ts';
import type { SignInLimits } from './sign-in-limits.ts';

const ADDRESS_MEMORY_MS = 90 * 24 * 60 * 60 * 1000;

export interface AccountsService {
  /**
   * Makes an account and signs in.
   * @throws AppError forbidden if registration does not allow it, email-taken, invalid-input for a weak password,
   *   rate-limited
   */
  register(registration: Registration, caller: Caller): Promise<SignedIn>;
  /**
   * @throws AppError invalid-credentials, also for an unknown email address; second-factor-needed if the password is
   *   right and a code is needed; forbidden for a held account; rate-limited
   */
  login(credentials: Credentials, caller: Caller): Promise<SignedIn>;
  /**
   * Signs in a user whom an identity provider has authenticated.
   * @param by the code of a second factor, and the ticket that the sign-in uses up; null if it was used already
   * @throws AppError as `login` does for a second factor; invalid-input for a ticket that was used or ended meanwhile
   */
  signInAs(
    user: UserRecord,
    by: { code: string | undefined; ticketHash: string | null },
    caller: Caller,
    subject: string,
  ): Promise<SignedIn>;
  /**
   * Changes the user's password and ends all their other sessions.
   * @throws AppError invalid-credentials for a wrong current password, invalid-input for a weak new one, rate-limited
   */
  changePassword(session: Session, change: PasswordChange, caller: Caller): Promise<void>;
  /**
   * Ends one of the user's sessions.
   * @throws AppError not-found for another user's session or one that has ended; as `Prove` does
   */
  endSession(session: Session, id: string, password: string | null, caller: Caller): Promise<void>;
  /**
   * Ends every session of the user, including the current one.
   * @throws AppError as `Prove` does
   */
  signOutEverywhere(session: Session, password: string | null, caller: Caller): Promise<void>;
  /**
   * Deletes the user's account and everything in it.
   * @throws AppError invalid-credentials for a wrong password, conflict for the last owner while other members remain,
   *   rate-limited
   */
  erase(session: Session, password: string, caller: Caller): Promise<void>;
  /** The key with which pages encrypt this user's data in the browser; it is not stored. */
  tabKeyOf(userId: string): string;
  /** Forgets addresses of old sign-ins. */
  forgetAddresses(): Promise<void>;
}

export function createAccountsService(parts: {
  repository: AccountsRepository;
  sessions: SessionsService;
  registration: RegistrationService;
  members: MembersService;
  audit: AuditService;
  /** Called when limits refused a sign-in; null for an unknown account. */
  onTooMany(user: { id: string; email: string } | null, address: string): void;
  passwords: Passwords;
  prove: Prove;
  secondFactor: SecondFactorService;
  seal: Seal;
  /** Null: no limits. */
  limits: SignInLimits | null;
  /** Milliseconds since 1970. */
  now?: () => number;
}): AccountsService {
  const { repository, sessions, registration, members, audit, onTooMany } = parts;
  const { passwords, prove, secondFactor, seal, limits, now = Date.now } = parts;
  const tabKeyOf = (userId: string) => seal.keyFor(`what a tab keeps for ${userId}`);

  type Known = Pick<
    UserRecord,
    'id' | 'workspaceId' | 'name' | 'email' | 'role' | 'isInstallationOwner' | 'passwordHash'
  >;

  async function signIn(user: Known, caller: Caller, subject?: string, ticketHash: string | null = null) {
    const token = await sessions.begin(user, caller, ticketHash);
    if (token === null) throw ticketHash === null ? invalidCredentials() : startSignInAgain();
    if (caller.token) await sessions.replace(caller.token);
    await repository.rememberAddress(user.id, hashAddress(user.id, caller.address), new Date(now()));
    await record('sign-in', user, caller, subject);
    const isMissing = await secondFactor.isMissing(user.id);
    return { token, user: presentUser(user, isMissing), tabKey: tabKeyOf(user.id) };
  }

  /** Renews a hash of older parameters while the password is at hand. */
  async function withHashOfToday(user: UserRecord, password: string): Promise<UserRecord> {
    if (user.passwordHash === null || !passwords.isOutdated(user.passwordHash)) return user;
    const passwordHash = await passwords.hash(password);
    // Keeps a password that was changed meanwhile.
    const isRenewed = await repository.renewHash(user.id, user.passwordHash, passwordHash);
    return isRenewed ? { ...user, passwordHash } : user;
  }

  const record = (action: AuditAction, user: Known | null, { address }: Caller, subject?: string) =>
    audit.record({ action, actor: user, address, ...(subject ? { subject } : {}) });

  return {
    async register({ name, email, password, invitation }, caller) {
      await limits?.register(caller.address);
      await refuseWeakPassword('password', password, { name, email });
      const admission = await registration.admit(email, invitation);
      const user = { id: uuidv7(), name, email, passwordHash: await passwords.hash(password) };
      const made = await repository.insertUser(user, admission);
      if (made === 'email-taken') throw emailTaken();
      // Another account was made first, or the invitation was used up or withdrawn meanwhile.
      if (made === 'ownerless') throw registration.refusal(made);
      if (made === 'not-admitted') throw registration.refusal(await registration.mode());
      return signIn(made, caller, 'new account');
    },

    async login({ email, password, code }, caller) {
      const user = await repository.findByEmail(email);
      // Asks with a dummy id as well, so that an unknown address takes as long.
      const isKnown = await repository.hasSignedInFrom(
        user?.id ?? NOBODY,
        hashAddress(user?.id ?? NOBODY, caller.address),
      );
      await limits?.attempt(email, caller.address, isKnown).catch((error: unknown) => {
        onTooMany(user, caller.address);
        throw error;
      });
      if (!(await passwords.matches(password, user?.passwordHash ?? null)) || !user) {
        // Logs only known addresses: other text may be a password.
        await record('sign-in-refused', user, caller);
        throw invalidCredentials();
      }
      await limits?.succeeded(email, caller.address);
      if (user.heldAt) throw forbidden('accounts.start-choice-first');
      await secondFactor.check(user, code, caller);
      return signIn(await withHashOfToday(user, password), caller);
    },

    async signInAs(user, { code, ticketHash }, caller, subject) {
      await secondFactor.check(user, code, caller);
      return signIn(user, caller, subject, ticketHash);
    },

    async changePassword(session, { currentPassword, newPassword }, caller) {
      await refuseWeakPassword('newPassword', newPassword, session.user);
      const user = await prove(session, currentPassword, 'currentPassword', caller);
      await repository.changePassword(user.id, await passwords.hash(newPassword));
      await sessions.endAll(user.id, session.id);
      await record('password-changed', user, caller);
    },

    async endSession(session, id, password, caller) {
      // Another user's session is answered like a missing one, whatever the password.
      if (!(await sessions.has(session, id))) throw notFound('session');
      await prove(session, password, 'password', caller);
      await sessions.end(session, id, caller);
    },

    async signOutEverywhere(session, password, caller) {
      await prove(session, password, 'password', caller);
      await sessions.signOutEverywhere(session, caller);
    },

    async erase(session, password, caller) {
      await prove(session, password, 'password', caller);
      await members.erase(session.user, caller.address);
    },

    tabKeyOf,

    async forgetAddresses() {
      await repository.deleteAddresses(new Date(now() - ADDRESS_MEMORY_MS));
    },
  };
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Recognises the same address again without storing it. */
const hashAddress = (userId: string, address: string) =>
  createHash('sha256').update(`${userId} ${address}`).digest('hex');

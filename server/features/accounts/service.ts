import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { emailTaken, invalidCredentials, invalidInput, unauthenticated, wrongPassword } from '#server/errors';
import type { AuditService } from '#server/features/audit/service';
import type { Session } from '#server/session';
import type { Credentials, PasswordChange, Registration, SignedIn } from '#shared/accounts';
import type { AuditAction } from '#shared/audit';
import { isCommonPassword } from './common-passwords.ts';
import type { MembersService } from './members/service.ts';
import type { Passwords } from './passwords.ts';
import type { RegistrationService } from './registration/service.ts';
import type { AccountsRepository, UserRecord } from './repository.ts';
import { type Caller, presentUser, type SessionsService } from './sessions/service.ts';
import type { SignInLimits } from './sign-in-limits.ts';

const ADDRESS_MEMORY_MS = 90 * 24 * 60 * 60 * 1000;

export interface AccountsService {
  /**
   * Makes an account and signs in.
   * @throws AppError forbidden where registration does not let them in, email-taken, invalid-input for a common password,
   *   rate-limited
   */
  register(registration: Registration, caller: Caller): Promise<SignedIn>;
  /** @throws AppError invalid-credentials, the same for an unknown email address; rate-limited */
  login(credentials: Credentials, caller: Caller): Promise<SignedIn>;
  /**
   * Gives the user another password and ends every other session of theirs.
   * @throws AppError invalid-credentials for a wrong current password, invalid-input for a common new one, rate-limited
   */
  changePassword(session: Session, change: PasswordChange, caller: Caller): Promise<void>;
  /**
   * Deletes the user's account, with everything that is theirs.
   * @throws AppError invalid-credentials for a wrong password, conflict for the last owner of others, rate-limited
   */
  erase(session: Session, password: string, caller: Caller): Promise<void>;
  /** Forgets from where people signed in long ago. */
  forgetAddresses(): Promise<void>;
}

export function createAccountsService(parts: {
  repository: AccountsRepository;
  sessions: SessionsService;
  registration: RegistrationService;
  members: MembersService;
  audit: AuditService;
  passwords: Passwords;
  /** Null: no limits. */
  limits: SignInLimits | null;
  /** Milliseconds since 1970. */
  now?: () => number;
}): AccountsService {
  const { repository, sessions, registration, members, audit, passwords, limits, now = Date.now } = parts;

  type Known = Pick<UserRecord, 'id' | 'name' | 'email' | 'role' | 'passwordHash'>;

  async function signIn(user: Known, caller: Caller, subject?: string) {
    const token = await sessions.begin(user, caller);
    if (token === null) throw invalidCredentials();
    await repository.rememberAddress(user.id, hashAddress(user.id, caller.address), new Date(now()));
    await record('sign-in', user, caller, subject);
    return { token, user: presentUser(user) };
  }

  const record = (action: AuditAction, user: Known | null, { address }: Caller, subject?: string) =>
    audit.record({ action, actor: user, address, ...(subject ? { subject } : {}) });

  /**
   * The account behind a session, once its password was proved anew; guesses are slowed down as at the sign-in.
   * @param field where the password was typed
   */
  async function prove(session: Session, password: string, field: string, caller: Caller) {
    const user = await repository.find(session.user._id);
    if (!user) throw unauthenticated();
    await limits?.attempt(user.email, caller.address, true);
    if (!(await passwords.matches(password, user.passwordHash))) {
      await record('sign-in-refused', user, caller, 'asked for the password once more');
      throw wrongPassword(field);
    }
    await limits?.succeeded(user.email, caller.address);
    return user;
  }

  return {
    async register({ name, email, password, invitation }, caller) {
      await limits?.register(caller.address);
      await refuseCommon('password', password);
      const admission = await registration.admit(email, invitation);
      const user = { id: uuidv7(), name, email, passwordHash: await passwords.hash(password) };
      const role = await repository.insertUser(user, admission);
      if (role === 'email-taken') throw emailTaken();
      // Somebody else was first, or the invitation was used up or withdrawn meanwhile.
      if (role === 'not-admitted') throw registration.refusal(await registration.mode());
      return signIn({ ...user, role }, caller, 'new account');
    },

    async login({ email, password }, caller) {
      const user = await repository.findByEmail(email);
      // Asked for nobody's id as well, so that an unknown address takes as long.
      const isKnown = await repository.hasSignedInFrom(
        user?.id ?? NOBODY,
        hashAddress(user?.id ?? NOBODY, caller.address),
      );
      await limits?.attempt(email, caller.address, isKnown);
      if (!(await passwords.matches(password, user?.passwordHash ?? null)) || !user) {
        // What was typed instead of a known address stays out of the log: it may be a password.
        await record('sign-in-refused', user, caller);
        throw invalidCredentials();
      }
      await limits?.succeeded(email, caller.address);
      return signIn(user, caller);
    },

    async changePassword(session, { currentPassword, newPassword }, caller) {
      await refuseCommon('newPassword', newPassword);
      const user = await prove(session, currentPassword, 'currentPassword', caller);
      await repository.changePassword(user.id, await passwords.hash(newPassword));
      await sessions.endAll(user.id, session.id);
      await record('password-changed', user, caller);
    },

    async erase(session, password, caller) {
      await prove(session, password, 'password', caller);
      await members.erase(session.user, caller.address);
    },

    async forgetAddresses() {
      await repository.deleteAddresses(new Date(now() - ADDRESS_MEMORY_MS));
    },
  };
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

async function refuseCommon(field: string, password: string): Promise<void> {
  if (!(await isCommonPassword(password))) return;
  const sentence = 'This password is one of the most common ones. Choose another.';
  throw invalidInput(sentence, { [field]: sentence });
}

/** Says "the same address again" without storing where somebody was. */
const hashAddress = (userId: string, address: string) =>
  createHash('sha256').update(`${userId} ${address}`).digest('hex');

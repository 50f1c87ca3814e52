import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { emailTaken, invalidCredentials, invalidInput } from '#server/errors';
import type { Credentials, Registration, SignedIn, User } from '#shared/accounts';
import { isCommonPassword } from './common-passwords.ts';
import type { Passwords } from './passwords.ts';
import type { AccountsRepository, UserRecord } from './repository.ts';
import { hashToken, looksLikeToken, newToken } from './session-tokens.ts';
import type { SignInLimits } from './sign-in-limits.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SESSION_MS = 30 * DAY_MS;
const RENEWAL_MS = DAY_MS;
const ADDRESS_MEMORY_MS = 90 * DAY_MS;

export interface AccountsService {
  /**
   * Makes an account and signs in.
   * @param address where the request comes from
   * @throws AppError email-taken, invalid-input for a common password, rate-limited
   */
  register(registration: Registration, address: string): Promise<SignedIn>;
  /** @throws AppError invalid-credentials, the same for an unknown email address; rate-limited */
  login(credentials: Credentials, address: string): Promise<SignedIn>;
  /** The user of a token; null when it is none, expired or revoked. Using a session keeps it alive. */
  authenticate(token: string): Promise<User | null>;
  /** Revokes a token. */
  logout(token: string): Promise<void>;
  removeExpired(): Promise<void>;
}

export function createAccountsService(parts: {
  repository: AccountsRepository;
  passwords: Passwords;
  /** Null: no limits. */
  limits: SignInLimits | null;
  /** Told which session ended, by the hash of its token. */
  onSignedOut?: (tokenHash: string) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
}): AccountsService {
  const { repository, passwords, limits, onSignedOut, now = Date.now } = parts;

  async function signIn(user: UserRecord | Pick<UserRecord, 'id' | 'name' | 'email'>, address: string) {
    const token = newToken();
    await repository.insertSession({
      tokenHash: hashToken(token),
      userId: user.id,
      expiresAt: new Date(now() + SESSION_MS),
    });
    await repository.rememberAddress(user.id, hashAddress(user.id, address), new Date(now()));
    return { token, user: present(user) };
  }

  return {
    async register({ name, email, password }, address) {
      await limits?.register(address);
      if (await isCommonPassword(password)) {
        const sentence = 'This password is one of the most common ones. Choose another.';
        throw invalidInput(sentence, { password: sentence });
      }
      const user = { id: uuidv7(), name, email, passwordHash: await passwords.hash(password) };
      if (!(await repository.insertUser(user))) throw emailTaken();
      return signIn(user, address);
    },

    async login({ email, password }, address) {
      const user = await repository.findByEmail(email);
      // Asked for nobody's id as well, so that an unknown address takes as long.
      const isKnown = await repository.hasSignedInFrom(
        user?.id ?? NOBODY,
        hashAddress(user?.id ?? NOBODY, address),
      );
      await limits?.attempt(email, address, isKnown);
      if (!(await passwords.matches(password, user?.passwordHash ?? null)) || !user)
        throw invalidCredentials();
      await limits?.succeeded(email, address);
      return signIn(user, address);
    },

    async authenticate(token) {
      if (!looksLikeToken(token)) return null;
      const tokenHash = hashToken(token);
      const session = await repository.findSession(tokenHash, new Date(now()));
      if (!session) return null;
      if (session.expiresAt.getTime() < now() + SESSION_MS - RENEWAL_MS)
        await repository.extendSession(tokenHash, new Date(now() + SESSION_MS));
      return present(session.user);
    },

    async logout(token) {
      const tokenHash = hashToken(token);
      await repository.deleteSession(tokenHash);
      onSignedOut?.(tokenHash);
    },

    async removeExpired() {
      await repository.deleteExpired(new Date(now()), new Date(now() - ADDRESS_MEMORY_MS));
    },
  };
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

const present = ({ id, name, email }: Pick<UserRecord, 'id' | 'name' | 'email'>): User => ({
  _id: id,
  name,
  email,
});

/** Says "the same address again" without storing where somebody was. */
const hashAddress = (userId: string, address: string) =>
  createHash('sha256').update(`${userId} ${address}`).digest('hex');

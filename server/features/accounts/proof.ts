import type { AuditService } from '#server/features/audit/service';
import { forbidden, unauthenticated, wrongPassword } from '#server/lib/errors';
import type { Session } from '#server/lib/session';
import type { Passwords } from './passwords.ts';
import type { AccountsRepository, UserRecord } from './repository.ts';
import type { Caller, SessionsService } from './sessions/service.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** How long a sign-in counts as fresh proof of identity. */
const FRESH_MS = 10 * 60_000;

/**
 * Asks a signed-in user for proof of identity before an irreversible change; guesses are slowed down as at the sign-in.
 * A user without a password, or who is not asked for it, must have signed in within the last ten minutes.
 * @param password null if none was sent
 * @param field the form field of the password
 * @throws AppError invalid-credentials, rate-limited; forbidden for an old session without a password
 */
export type Prove = (
  session: Session,
  password: string | null,
  field: string,
  caller: Caller,
) => Promise<UserRecord>;

export function createProof(parts: {
  repository: AccountsRepository;
  passwords: Passwords;
  limits: SignInLimits | null;
  audit: AuditService;
  sessions: SessionsService;
  /** Milliseconds since 1970. */
  now?: () => number;
}): Prove {
  const { repository, passwords, limits, audit, sessions, now = Date.now } = parts;
  return async (session, password, field, { address }) => {
    const user = await repository.find(session.user._id);
    if (!user) throw unauthenticated();
    if (user.passwordHash === null || password === null) {
      if (now() - (await sessions.begunAt(session)) <= FRESH_MS) return user;
      throw forbidden(user.passwordHash === null ? 'accounts.prove-again' : 'accounts.prove-password');
    }
    await limits?.attempt(user.email, address, true);
    if (!(await passwords.matches(password, user.passwordHash))) {
      const subject = 'asked for the password once more';
      await audit.record({ action: 'sign-in-refused', actor: user, address, subject });
      throw wrongPassword(field);
    }
    await limits?.succeeded(user.email, address);
    return user;
  };
}

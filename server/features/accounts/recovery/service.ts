import type { MailEngine } from '#server/engines/mail/contract';
import type { AuditService } from '#server/features/audit/service';
import { invalidInput, unavailable } from '#server/lib/errors';
import { hashToken } from '#server/lib/tokens';
import type { PasswordReset } from '#shared/accounts';
import { refuseWeakPassword } from '../password-policy.ts';
import type { Passwords } from '../passwords.ts';
import type { AccountsRepository } from '../repository.ts';
import type { Caller, SessionsService } from '../sessions/service.ts';
import type { SignInLimits } from '../sign-in-limits.ts';
import type { RecoveryRepository } from './repository.ts';
import { newResetLink, RESET_LINK_MINUTES } from './reset-links.ts';
import { resetMail } from './reset-mail.ts';

/**
 * At most one letter per account in this time, however many requests come: the owner mostly has a working link, and no
 * flood of letters.
 */
const LETTER_EVERY_MINUTES = 10;

interface RecoveryParts {
  repository: RecoveryRepository;
  accounts: AccountsRepository;
  sessions: SessionsService;
  audit: AuditService;
  passwords: Passwords;
  /** Null: no limits. */
  limits: SignInLimits | null;
  /** The mail engine and the address of the page; null without mail. */
  post: { mail: MailEngine; pageUrl: string } | null;
  /** Called when a link could not be made or sent. */
  onFailure: (error: unknown) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** New passwords for users who forgot theirs: by a link that works once. */
export class RecoveryService {
  readonly #parts: RecoveryParts;
  readonly #now: () => number;
  readonly #sending = new Set<Promise<void>>();

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  /** Whether links can be sent at all. */
  get isOffered(): boolean {
    return this.#parts.post !== null;
  }

  /**
   * Sends a link to an account's address, if there is such an account. Looks it up only after resolving, so that
   * neither the answer nor its time tells whether the account exists. Without mail, the page does not offer this,
   * requests get the same answer, and the operator finds them in the log.
   * @throws AppError rate-limited; unavailable for every address while no mail can be sent
   */
  async ask(email: string, caller: Caller): Promise<void> {
    const { limits, post, onFailure } = this.#parts;
    await limits?.recover(email, caller.address);
    if (!post)
      return onFailure(new Error('Somebody asked for a new password by e-mail, but SMTP_URL is not set.'));
    await post.mail.check().catch((error: unknown) => {
      throw unavailable('accounts.email-not-sent', error);
    });
    const sending = this.#send(post, email, caller)
      .catch(onFailure)
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  async #send(post: NonNullable<RecoveryParts['post']>, email: string, { address }: Caller): Promise<void> {
    const { repository, accounts, audit, limits } = this.#parts;
    const user = await accounts.findByEmail(email);
    if (!user) return;
    const now = this.#now();
    const { link, row } = newResetLink(user.id, post.pageUrl, now);
    // A letter sent a moment ago makes another one unnecessary.
    const since = limits ? new Date(now - LETTER_EVERY_MINUTES * 60_000) : null;
    if (!(await repository.insertSent({ ...row, sentAt: new Date(now) }, since))) return;
    await audit.record({ action: 'password-reset', actor: user, address, subject: 'asked for a link' });
    try {
      await post.mail.send(resetMail(user.email, link, RESET_LINK_MINUTES));
    } catch (error) {
      await repository.delete(row.secretHash);
      throw error;
    }
  }

  /**
   * Sets the new password of a link's account and ends all its sessions.
   * @throws AppError invalid-input for a link that is no longer valid, or a password that is too easy to guess
   */
  async confirm({ token, newPassword }: PasswordReset, caller: Caller): Promise<void> {
    const { repository, sessions, audit, passwords } = this.#parts;
    const secretHash = hashToken(token);
    const user = await repository.findOwner(secretHash, new Date(this.#now()));
    if (!user) throw usedUp();
    await refuseWeakPassword('newPassword', newPassword, user);
    const isUsed = await repository.use(secretHash, user.id, await passwords.hash(newPassword));
    if (!isUsed) throw usedUp();
    await sessions.endAll(user.id);
    await audit.record({ action: 'password-reset', actor: user, address: caller.address });
  }

  async removeExpired(): Promise<void> {
    await this.#parts.repository.deleteExpired(new Date(this.#now()));
  }

  /** Waits for letters being sent. */
  async close(): Promise<void> {
    await Promise.all(this.#sending);
  }
}

const usedUp = () => invalidInput('accounts.link-used', 'token');

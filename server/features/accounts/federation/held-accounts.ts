import type { Identity } from '#server/engines/identity/contract';
import type { AuditService } from '#server/features/audit/service';
import { startSignInAgain } from '#server/lib/errors';
import type { ExistingAccount, ExistingChoice } from '#shared/accounts';
import type { MembersService } from '../members/service.ts';
import type { UserRecord } from '../repository.ts';
import type { Caller, SessionsService } from '../sessions/service.ts';
import type { FederationRepository } from './repository.ts';

interface HeldAccountsParts {
  repository: FederationRepository;
  members: Pick<MembersService, 'startAnew'>;
  sessions: SessionsService;
  audit: AuditService;
  /** Stops what an account runs on its own, such as its agents in live rooms. */
  onHeld(userId: string): Promise<void>;
}

/**
 * Accounts with an unconfirmed address whose owner has now signed in by the identity provider. A stranger may have made
 * the account and left agents, actions and conversations in it, so it is held until the owner decides about them.
 */
export class HeldAccounts {
  readonly #parts: HeldAccountsParts;

  constructor(parts: HeldAccountsParts) {
    this.#parts = parts;
  }

  /** Ends every way into an account except its owner's identity. @param name as the provider tells it */
  async hold(identity: Identity, account: UserRecord, name: string): Promise<void> {
    const { repository, sessions } = this.#parts;
    await repository.hold(identity, account.id, name);
    await sessions.endAll(account.id);
  }

  /**
   * Looks at what the owner has to decide about. Replaces an account with nothing in it by a new one at once.
   * @returns the account to sign in to, and its contents; null if there is nothing to decide
   */
  async look(account: UserRecord): Promise<{ account: UserRecord; existing: ExistingAccount | null }> {
    if (!account.heldAt) return { account, existing: null };
    const { repository, onHeld } = this.#parts;
    // Repeated at each visit: the server may have stopped just after the account was held.
    await onHeld(account.id);
    const contents = await repository.contentsOf(account);
    if (Object.values(contents).every((count) => count === 0))
      return { account: await this.#startEmpty(account), existing: null };
    return { account, existing: { createdAt: account.createdAt.toISOString(), ...contents } };
  }

  /**
   * Applies the owner's choice.
   * @returns the account after it
   * @throws AppError invalid-input if the choice was made meanwhile
   */
  async decide(account: UserRecord, choice: ExistingChoice, { address }: Caller): Promise<UserRecord> {
    const { audit } = this.#parts;
    if (choice === 'start-empty') {
      const anew = await this.#startEmpty(account);
      await audit.record({
        action: 'erased',
        actor: account,
        address,
        subject: 'what was in the account before its address was confirmed',
      });
      return anew;
    }
    const released = await this.#parts.repository.takeOver(account.id);
    if (!released) throw startSignInAgain();
    const subject = 'what was in the account before its address was confirmed: taken over';
    await audit.record({ action: 'settings-changed', actor: released, address, subject });
    return released;
  }

  async #startEmpty(account: UserRecord): Promise<UserRecord> {
    const anew = await this.#parts.members.startAnew(account.id);
    if (!anew) throw startSignInAgain();
    return anew;
  }
}

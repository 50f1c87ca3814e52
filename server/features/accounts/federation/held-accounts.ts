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
  /** Has what goes on without anybody of an account stop, such as its agents in live rooms. */
  onHeld(userId: string): Promise<void>;
}

/**
 * Accounts whose address nobody has confirmed, once the person of the address has come by the identity provider: somebody else
 * may have made one and left agents, actions and conversations in it. It waits until that person says what becomes of those.
 */
export class HeldAccounts {
  readonly #parts: HeldAccountsParts;

  constructor(parts: HeldAccountsParts) {
    this.#parts = parts;
  }

  /** Ends every way into an account but the person's own. @param name as the provider tells it */
  async hold(identity: Identity, account: UserRecord, name: string): Promise<void> {
    const { repository, sessions } = this.#parts;
    await repository.hold(identity, account.id, name);
    await sessions.endAll(account.id);
  }

  /**
   * Looks at what its person is to decide about. An account with nothing in it is replaced at once by one that is theirs alone.
   * @returns the account that they come into, and what is in it; null: nothing is to be decided
   */
  async look(account: UserRecord): Promise<{ account: UserRecord; existing: ExistingAccount | null }> {
    if (!account.heldAt) return { account, existing: null };
    const { repository, onHeld } = this.#parts;
    // Again at each visit: it may have been held while the server was about to stop.
    await onHeld(account.id);
    const contents = await repository.contentsOf(account);
    if (Object.values(contents).every((count) => count === 0))
      return { account: await this.#startEmpty(account), existing: null };
    return { account, existing: { createdAt: account.createdAt.toISOString(), ...contents } };
  }

  /**
   * Does what its person has chosen.
   * @returns the account as it is then
   * @throws AppError invalid-input where it was decided meanwhile
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

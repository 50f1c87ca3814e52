import type { AuditService } from '#server/features/audit/service';
import { conflict, invalidInput, secondFactorNeeded, wrongCode } from '#server/lib/errors';
import type { Seal } from '#server/lib/seal';
import type { Session } from '#server/lib/session';
import type { SecondFactorProposal, SecondFactorState, User } from '#shared/accounts';
import type { AuditAction } from '#shared/audit';
import type { Prove } from '../proof.ts';
import type { UserRecord } from '../repository.ts';
import type { Caller, SessionsService } from '../sessions/service.ts';
import type { SignInLimits } from '../sign-in-limits.ts';
import { newSecret, oneTimeCodeIn, setUpAddress, stepOf } from './one-time-codes.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import type { SecondFactorRecord, SecondFactorRepository } from './repository.ts';

type Whom = Pick<UserRecord, 'id' | 'email'>;

interface SecondFactorParts {
  repository: SecondFactorRepository;
  seal: Seal;
  prove: Prove;
  sessions: SessionsService;
  audit: AuditService;
  /** Null: no limits. */
  limits: SignInLimits | null;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** The authenticator code that a sign-in asks for besides the password. */
export class SecondFactorService {
  readonly #parts: SecondFactorParts;
  readonly #repository: SecondFactorRepository;
  readonly #now: () => number;

  constructor(parts: SecondFactorParts) {
    this.#parts = parts;
    this.#repository = parts.repository;
    this.#now = parts.now ?? Date.now;
  }

  async state({ user }: Session): Promise<SecondFactorState> {
    const isOn = await this.isOn(user._id);
    return {
      on: isOn,
      recoveryCodesLeft: isOn ? await this.#repository.codesLeft(user._id) : 0,
      required: await this.#repository.isRequired(),
    };
  }

  async isOn(userId: string): Promise<boolean> {
    return Boolean((await this.#repository.find(userId))?.confirmedAt);
  }

  /** Whether a user must set one up before anything else. */
  async isMissing(userId: string): Promise<boolean> {
    return (await this.#repository.isRequired()) && !(await this.isOn(userId));
  }

  /**
   * Passes a user without a second factor, or with a right code. A code works once. Many wrong codes block
   * authenticator codes for a while, but never recovery codes.
   * @throws AppError second-factor-needed without a code, invalid-credentials for a wrong or used one, rate-limited
   */
  async check(user: Whom, code: string | undefined, caller: Caller): Promise<void> {
    const factor = await this.#repository.find(user.id);
    if (!factor?.confirmedAt) return;
    if (code === undefined) throw secondFactorNeeded();
    const typed = oneTimeCodeIn(code);
    if (typed !== null) {
      await this.#attempt(user, caller, async () => {
        const step = this.#stepOf(factor, typed);
        return step !== null && (await this.#repository.takeStep(user.id, step));
      });
      return;
    }
    // Counted apart from authenticator codes: a person who knows the password may have used those attempts up.
    await this.#parts.limits?.recoveryCode(user.id, caller.address);
    if (!(await this.#repository.takeCode(user.id, hashRecoveryCode(user.id, code))))
      await this.#refuse(user, caller);
  }

  /**
   * Makes a secret for an authenticator app. It becomes active with its first right code.
   * @throws AppError as `Prove`; conflict for a user with an active one
   */
  async propose(session: Session, password: string, caller: Caller): Promise<SecondFactorProposal> {
    const user = await this.#parts.prove(session, password, 'password', caller);
    const secret = newSecret();
    if (!(await this.#repository.propose(user.id, this.#parts.seal.close(secret, purposeOf(user.id)))))
      throw conflict('accounts.second-factor-on');
    return { secret, address: setUpAddress(secret, user.email) };
  }

  /**
   * Activates the proposed secret and ends every other session.
   * @returns the recovery codes, shown only this once
   * @throws AppError invalid-input without a proposal, invalid-credentials for a wrong code, rate-limited
   */
  async confirm({ id, user }: Session, code: string, caller: Caller): Promise<string[]> {
    const whom = { id: user._id, email: user.email };
    const proposed = await this.#repository.find(whom.id);
    if (!proposed || proposed.confirmedAt) throw invalidInput('accounts.second-factor-not-begun');
    const codes = newRecoveryCodes();
    await this.#attempt(whom, caller, async () => {
      const step = this.#stepOf(proposed, oneTimeCodeIn(code) ?? '');
      return step !== null && (await this.#repository.confirm(proposed, step, hashes(whom.id, codes)));
    });
    await this.#parts.sessions.endAll(whom.id, id);
    await this.#record('settings-changed', whom, caller, 'second factor: on');
    return codes;
  }

  /**
   * Makes new recovery codes, replacing all remaining ones.
   * @throws AppError as `Prove`; conflict without a second factor
   */
  async renewCodes(session: Session, password: string, caller: Caller): Promise<string[]> {
    const user = await this.#parts.prove(session, password, 'password', caller);
    if (!(await this.isOn(user.id))) throw conflict('accounts.second-factor-none');
    const codes = newRecoveryCodes();
    await this.#repository.replaceCodes(user.id, hashes(user.id, codes));
    await this.#record('settings-changed', user, caller, 'second factor: new recovery codes');
    return codes;
  }

  /** @throws AppError as `Prove`; conflict if every user must have one */
  async turnOff(session: Session, password: string, caller: Caller): Promise<void> {
    const user = await this.#parts.prove(session, password, 'password', caller);
    if (await this.#repository.isRequired()) throw conflict('accounts.second-factor-required');
    if (!(await this.#repository.delete(user.id))) return;
    await this.#parts.sessions.endAll(user.id, session.id);
    await this.#record('settings-changed', user, caller, 'second factor: off');
  }

  /**
   * Sets whether every user must have one. Users without one are signed out, and set it up at their next sign-in.
   * @throws AppError conflict for an owner without one
   */
  async require(owner: User, required: boolean, caller: Caller): Promise<void> {
    if (required && !(await this.isOn(owner._id))) throw conflict('accounts.second-factor-own-first');
    await this.#repository.require(required);
    if (required) await this.#parts.sessions.endAllWithoutSecondFactor();
    const subject = `second factor: ${required ? 'needed by everybody' : 'everybody as they like'}`;
    await this.#record('settings-changed', { id: owner._id, email: owner.email }, caller, subject);
  }

  async isRequired(): Promise<boolean> {
    return this.#repository.isRequired();
  }

  /** Counts an authenticator code as wrong before checking it, so that simultaneous attempts count, too. */
  async #attempt(user: Whom, caller: Caller, isRight: () => Promise<boolean>): Promise<void> {
    await this.#parts.limits?.code(user.id);
    if (!(await isRight())) await this.#refuse(user, caller);
    await this.#parts.limits?.codeSucceeded(user.id);
  }

  async #refuse(user: Whom, caller: Caller): Promise<never> {
    await this.#record('sign-in-refused', user, caller, 'wrong code');
    throw wrongCode();
  }

  #stepOf({ userId, sealedSecret }: SecondFactorRecord, code: string): number | null {
    const secret = this.#parts.seal.open(sealedSecret, purposeOf(userId));
    return secret === null ? null : stepOf(secret, code, this.#now());
  }

  #record(action: AuditAction, user: Whom, { address }: Caller, subject: string) {
    return this.#parts.audit.record({ action, actor: user, address, subject });
  }
}

const purposeOf = (userId: string) => `second factor of ${userId}`;
const hashes = (userId: string, codes: readonly string[]) =>
  codes.map((code) => hashRecoveryCode(userId, code));

import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import {
  type Challenge,
  type Identity,
  IdentityError,
  type IdentityProvider,
} from '#server/engines/identity/contract';
import type { AuditService } from '#server/features/audit/service';
import {
  choiceNeeded,
  emailTaken,
  forbidden,
  notFound,
  startSignInAgain,
  unavailable,
} from '#server/lib/errors';
import type { Seal } from '#server/lib/seal';
import { hashToken, newToken } from '#server/lib/tokens';
import { withoutTrailingSlashes } from '#server/lib/trailing-slashes';
import {
  emailSchema,
  type ProviderAnswer,
  type SignedIn,
  type Ticket,
  type TicketUse,
} from '#shared/accounts';
import { refusal } from '#shared/refusals/refusal';
import { storable } from '#shared/storable';
import type { RegistrationService } from '../registration/service.ts';
import type { AccountsRepository, UserRecord } from '../repository.ts';
import type { AccountsService } from '../service.ts';
import type { Caller, SessionsService } from '../sessions/service.ts';
import type { SignInLimits } from '../sign-in-limits.ts';
import type { HeldAccounts } from './held-accounts.ts';
import type { FederationRepository } from './repository.ts';

/** Time to sign in at the provider, and then to type a code or decide about an account. */
const ATTEMPT_MS = 15 * 60_000;
const TICKET_MS = 5 * 60_000;
const CHOICE_MS = 15 * 60_000;
const MAX_NAME_CHARACTERS = 100;

const attemptSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  until: z.number(),
});

interface FederationParts {
  repository: FederationRepository;
  held: HeldAccounts;
  accounts: AccountsService;
  users: AccountsRepository;
  registration: RegistrationService;
  sessions: SessionsService;
  audit: AuditService;
  seal: Seal;
  limits: SignInLimits | null;
  /** The identity provider and the address of the page; null without one. */
  federation: { provider: IdentityProvider; pageUrl: string } | null;
  onFailure: (error: unknown) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Sign-in at an identity provider, in three steps: to it, back from it, and in. */
export class FederationService {
  readonly #parts: FederationParts;
  readonly #now: () => number;

  constructor(parts: FederationParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  /** The provider's name; null without one. */
  get label(): string | null {
    return this.#parts.federation?.provider.label ?? null;
  }

  /**
   * @returns the address of the sign-in, and a sealed state that the browser keeps until it returns: only the browser
   *   that began can finish
   * @throws AppError not-found without a provider, unavailable while it is away, rate-limited
   */
  async begin(caller: Caller): Promise<{ address: string; attempt: string }> {
    const { provider, redirectUri } = this.#federation();
    await this.#parts.limits?.federate(caller.address);
    const secrets = { state: newToken(), nonce: newToken(), verifier: newToken() };
    const address = await this.#ask(() => provider.signInAddress({ ...secrets, redirectUri }));
    const attempt = JSON.stringify({ ...secrets, until: this.#now() + ATTEMPT_MS });
    return { address, attempt: this.#parts.seal.close(attempt, 'attempt') };
  }

  /**
   * Finds or makes the account of the person who signed in at the provider.
   * @returns a ticket that signs in once, within minutes; with the contents of the account if its owner has to decide
   *   about them
   * @throws AppError invalid-input for an invalid or old attempt, forbidden if the provider or the installation refuses
   *   the person, unavailable while the provider is away, rate-limited
   */
  async finish({ attempt, answer }: ProviderAnswer, caller: Caller): Promise<Ticket> {
    const { provider, redirectUri } = this.#federation();
    await this.#parts.limits?.federate(caller.address);
    const begun = attemptSchema.safeParse(this.#open(attempt, 'attempt')).data;
    if (!begun || begun.until < this.#now()) throw startSignInAgain();
    const challenge: Challenge = { ...begun, redirectUri };
    const identity = await this.#ask(() => provider.identify(challenge, new URLSearchParams(answer)));
    const found = await this.#accountOf(identity, provider.label, caller);
    const { account, existing } = await this.#parts.held.look(found);
    const ticket = newToken();
    const expiresAt = new Date(this.#now() + (existing ? CHOICE_MS : TICKET_MS));
    await this.#parts.repository.addTicket({ ticketHash: hashToken(ticket), userId: account.id, expiresAt });
    return { ticket, ...(existing ? { existing } : {}) };
  }

  /**
   * @throws AppError invalid-input for a ticket that is invalid, used, too old or ended with the account's sessions;
   *   choice-needed; as a sign-in with a second factor
   */
  async signIn({ ticket, code, existing }: TicketUse, caller: Caller): Promise<SignedIn> {
    const { provider } = this.#federation();
    const { repository, held, accounts } = this.#parts;
    const ticketHash = hashToken(ticket);
    const account = await repository.findTicket(ticketHash, new Date(this.#now()));
    if (!account) throw startSignInAgain();
    const subject = `with ${provider.label}`;
    if (!account.heldAt) return accounts.signInAs(account, { code, ticketHash }, caller, subject);
    if (existing === undefined) throw choiceNeeded();
    if (!(await repository.takeTicket(ticketHash))) throw startSignInAgain();
    const decided = await held.decide(account, existing, caller);
    return accounts.signInAs(decided, { code, ticketHash: null }, caller, subject);
  }

  async removeExpired(): Promise<void> {
    await this.#parts.repository.deleteExpiredTickets(new Date(this.#now()));
  }

  async #accountOf(identity: Identity, label: string, caller: Caller): Promise<UserRecord> {
    const { repository, users, sessions, audit, held } = this.#parts;
    const known = await repository.findUser(identity);
    if (known) return known;
    const email = emailSchema.safeParse(identity.email).data;
    if (email === undefined) throw forbidden(refusal('accounts.provider-without-email', { provider: label }));
    const namesake = await users.findByEmail(email);
    if (!namesake) return this.#newAccount(identity, email);
    if (!identity.isEmailVerified)
      throw forbidden(refusal('accounts.provider-unverified', { provider: label }));
    const name = nameOf(identity, email);
    // Registration does not verify addresses: only a provider confirms one.
    const isConfirmed = !namesake.heldAt && (await repository.identitiesOf(namesake.id)).length > 0;
    if (isConfirmed) {
      await repository.bind(identity, namesake.id, name);
      await sessions.endAll(namesake.id);
    } else await held.hold(identity, namesake, name);
    await audit.record({
      action: 'settings-changed',
      actor: namesake,
      address: caller.address,
      subject: `sign-in: ${label} instead of the password`,
    });
    const bound = await repository.findUser(identity);
    if (!bound) throw startSignInAgain();
    return bound;
  }

  async #newAccount(identity: Identity, email: string): Promise<UserRecord> {
    const { registration, users } = this.#parts;
    const admission = await registration.admitFrom(email, identity.isEmailVerified);
    const user = { id: uuidv7(), name: nameOf(identity, email), email, passwordHash: null };
    const made = await users.insertUser(user, admission, identity);
    if (made === 'email-taken') throw emailTaken();
    if (made === 'ownerless') throw registration.refusal(made);
    if (made === 'not-admitted') throw registration.refusal(await registration.mode());
    return made;
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      if (error.kind === 'away')
        throw unavailable(refusal('accounts.provider-away', { provider: this.label ?? '' }), error);
      this.#parts.onFailure(error);
      throw forbidden(refusal('accounts.provider-refused', { provider: this.label ?? '' }));
    }
  }

  #federation() {
    const { federation } = this.#parts;
    if (!federation) throw notFound('sign-in');
    const { provider, pageUrl } = federation;
    return { provider, redirectUri: `${withoutTrailingSlashes(pageUrl)}/sign-in/back` };
  }

  #open(sealed: string, purpose: string): unknown {
    const opened = this.#parts.seal.open(sealed, purpose);
    return opened === null ? null : JSON.parse(opened);
  }
}

const nameOf = ({ name }: Identity, email: string): string =>
  storable(name ?? '')
    .trim()
    .slice(0, MAX_NAME_CHARACTERS)
    .trim() || (email.split('@')[0] ?? email).slice(0, MAX_NAME_CHARACTERS);

import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import {
  type Challenge,
  type Identity,
  IdentityError,
  type IdentityProvider,
} from '#server/engines/identity/contract';
import { emailTaken, forbidden, invalidInput, notFound, unavailable } from '#server/errors';
import type { AuditService } from '#server/features/audit/service';
import type { Seal } from '#server/seal';
import { emailSchema, type ProviderAnswer, type SignedIn, type TicketUse } from '#shared/accounts';
import type { RegistrationService } from '../registration/service.ts';
import type { AccountsRepository, UserRecord } from '../repository.ts';
import type { AccountsService } from '../service.ts';
import type { Caller, SessionsService } from '../sessions/service.ts';
import { newToken } from '../sessions/session-tokens.ts';
import type { SignInLimits } from '../sign-in-limits.ts';
import type { FederationRepository } from './repository.ts';

/** How long somebody may take at the provider, and then to type a code. */
const ATTEMPT_MS = 15 * 60_000;
const TICKET_MS = 5 * 60_000;
const MAX_NAME_CHARACTERS = 100;

const attemptSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  until: z.number(),
});
const ticketSchema = z.object({ userId: z.uuid(), until: z.number() });

interface FederationParts {
  repository: FederationRepository;
  accounts: AccountsService;
  users: AccountsRepository;
  registration: RegistrationService;
  sessions: SessionsService;
  audit: AuditService;
  seal: Seal;
  limits: SignInLimits | null;
  /** Whose sign-ins are believed, and where the page is; null: nobody's. */
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

  /** What the provider is called; null where there is none. */
  get label(): string | null {
    return this.#parts.federation?.provider.label ?? null;
  }

  /**
   * @returns where the browser signs in, and what it keeps to itself until it is back: only the browser that began can finish,
   *   and what it keeps is sealed
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
   * Finds the account of whoever signed in at the provider, or makes one.
   * @returns a ticket with which they come in, within minutes
   * @throws AppError invalid-input for an attempt that is none or too old, forbidden where the provider or the installation lets
   *   them not in, unavailable while the provider is away, rate-limited
   */
  async finish({ attempt, answer }: ProviderAnswer, caller: Caller): Promise<{ ticket: string }> {
    const { provider, redirectUri } = this.#federation();
    await this.#parts.limits?.federate(caller.address);
    const begun = attemptSchema.safeParse(this.#open(attempt, 'attempt')).data;
    if (!begun || begun.until < this.#now()) throw startAgain();
    const challenge: Challenge = { ...begun, redirectUri };
    const identity = await this.#ask(() => provider.identify(challenge, new URLSearchParams(answer)));
    const { id } = await this.#accountOf(identity, provider.label, caller);
    const ticket = JSON.stringify({ userId: id, until: this.#now() + TICKET_MS });
    return { ticket: this.#parts.seal.close(ticket, 'ticket') };
  }

  /** @throws AppError invalid-input for a ticket that is none or too old; as a sign-in with a second factor */
  async signIn({ ticket, code }: TicketUse, caller: Caller): Promise<SignedIn> {
    const { provider } = this.#federation();
    const known = ticketSchema.safeParse(this.#open(ticket, 'ticket')).data;
    const user = known && known.until >= this.#now() ? await this.#parts.users.find(known.userId) : null;
    if (!user) throw startAgain();
    return this.#parts.accounts.signInAs(user, code, caller, `with ${provider.label}`);
  }

  async #accountOf(identity: Identity, label: string, caller: Caller): Promise<UserRecord> {
    const known = await this.#parts.repository.findUser(identity);
    if (known) return known;
    const email = emailSchema.safeParse(identity.email).data;
    if (email === undefined)
      throw forbidden(`${label} does not tell your email address, and an account needs one.`);
    const namesake = await this.#parts.users.findByEmail(email);
    if (!namesake) return this.#newAccount(identity, email);
    if (!identity.isEmailVerified)
      throw forbidden(
        `There is an account with your email address, and ${label} does not say that the address is yours. Sign in with your password.`,
      );
    await this.#parts.repository.bind(identity, namesake.id);
    await this.#parts.sessions.endAll(namesake.id);
    await this.#parts.audit.record({
      action: 'settings-changed',
      actor: namesake,
      address: caller.address,
      subject: `sign-in: ${label} instead of the password`,
    });
    return { ...namesake, passwordHash: null };
  }

  async #newAccount(identity: Identity, email: string): Promise<UserRecord> {
    const { registration, users } = this.#parts;
    const admission = await registration.admitFrom(email, identity.isEmailVerified);
    const user = { id: uuidv7(), name: nameOf(identity, email), email, passwordHash: null };
    const role = await users.insertUser(user, admission, identity);
    if (role === 'email-taken') throw emailTaken();
    if (role === 'not-admitted') throw registration.refusal(await registration.mode());
    const made = await users.find(user.id);
    if (!made) throw startAgain();
    return made;
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      if (error.kind === 'away')
        throw unavailable(
          `${this.label} cannot be reached at the moment. Try again later, or sign in with your password.`,
          error,
        );
      this.#parts.onFailure(error);
      throw forbidden(`${this.label} did not let you in. Try again.`);
    }
  }

  #federation() {
    const { federation } = this.#parts;
    if (!federation) throw notFound('way to sign in');
    const { provider, pageUrl } = federation;
    return { provider, redirectUri: `${pageUrl.replace(/\/+$/, '')}/sign-in/back` };
  }

  #open(sealed: string, purpose: string): unknown {
    const opened = this.#parts.seal.open(sealed, purpose);
    return opened === null ? null : JSON.parse(opened);
  }
}

const startAgain = () => invalidInput('This sign-in has taken too long or began elsewhere. Start it again.');

const nameOf = ({ name }: Identity, email: string): string =>
  (name ?? '').replaceAll('\0', '').trim().slice(0, MAX_NAME_CHARACTERS).trim() ||
  (email.split('@')[0] ?? email).slice(0, MAX_NAME_CHARACTERS);

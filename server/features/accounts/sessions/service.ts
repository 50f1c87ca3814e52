import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { AuditService } from '#server/features/audit/service';
import { notFound } from '#server/lib/errors';
import type { Member, Session } from '#server/lib/session';
import { hashToken, looksLikeToken, newToken } from '#server/lib/tokens';
import type { ListedSession, User } from '#shared/accounts';
import { storable } from '#shared/storable';
import type { SessionsRepository } from './repository.ts';
import { createSessionEnds, type EndedSession, type SessionEnds } from './session-ends.ts';

/** The origin of a request: its network address and user agent. */
export interface Caller {
  address: string;
  userAgent: string | null;
  /** The token of the request, which may be invalid. */
  token?: string | null;
}

const MINUTE_MS = 60_000;
/** The longest life of a session, however often it is used. */
const LIFE_MS = 30 * 24 * 60 * MINUTE_MS;
/** How long a session may be unused. */
const IDLE_MS = 7 * 24 * 60 * MINUTE_MS;
/** The last use of a session is stored at most this often. */
const USE_STEP_MS = 5 * MINUTE_MS;
/** Longer than any browser's user agent. */
const MAX_USER_AGENT_CHARACTERS = 400;

/** Active sessions and their users. `onEnded` reports every end of a session. */
export class SessionsService {
  readonly #repository: SessionsRepository;
  readonly #audit: AuditService;
  readonly #ends: SessionEnds;
  readonly #idleMs: number;
  readonly #now: () => number;

  constructor(parts: {
    repository: SessionsRepository;
    audit: AuditService;
    ends?: SessionEnds;
    /** How long a session may be unused, in milliseconds: a week. */
    idleMs?: number;
    /** Milliseconds since 1970. */
    now?: () => number;
  }) {
    this.#repository = parts.repository;
    this.#audit = parts.audit;
    this.#ends = parts.ends ?? createSessionEnds();
    this.#idleMs = parts.idleMs ?? IDLE_MS;
    this.#now = parts.now ?? Date.now;
  }

  /** Calls `listener` after a session has ended: what the session opened must close within seconds. */
  onEnded(listener: (ended: EndedSession) => void): void {
    this.#ends.listen(listener);
  }

  /**
   * @param ticketHash of the ticket that this uses up; null without one
   * @returns its token; null if the password was changed since it was checked, or the ticket is no longer valid
   */
  async begin(
    user: { id: string; passwordHash: string | null },
    caller: Caller,
    ticketHash: string | null = null,
  ): Promise<string | null> {
    const token = newToken();
    const isStored = await this.#repository.insert(
      {
        id: uuidv7(),
        tokenHash: hashToken(token),
        userId: user.id,
        createdAt: new Date(this.#now()),
        expiresAt: new Date(this.#now() + LIFE_MS),
        userAgent:
          caller.userAgent === null ? null : storable(caller.userAgent.slice(0, MAX_USER_AGENT_CHARACTERS)),
        address: caller.address,
      },
      user.passwordHash,
      ticketHash,
    );
    return isStored ? token : null;
  }

  /** The active session of a token; null if there is none. */
  async authenticate(token: string): Promise<Session | null> {
    if (!looksLikeToken(token)) return null;
    const found = await this.#repository.find(hashToken(token), this.#alive());
    if (!found) return null;
    if (found.lastUsedAt.getTime() <= this.#now() - USE_STEP_MS)
      await this.#repository.touch(found.id, new Date(this.#now()));
    const isHeldUp = found.needsSecondFactor && !found.hasSecondFactor;
    return { id: found.id, user: presentUser(found.user, isHeldUp) };
  }

  /** A user's sessions, last used first. @param current the session that asks */
  async list({ id: current, user }: Session): Promise<ListedSession[]> {
    const rows = await this.#repository.list(user._id, this.#alive());
    return rows.map(({ id, createdAt, lastUsedAt, expiresAt, userAgent, address }) => ({
      _id: id,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      current: id === current,
      ...(userAgent === null ? {} : { userAgent }),
      ...(address === null ? {} : { address }),
    }));
  }

  /** Whether a session is the user's own and active. */
  async has(session: Session, id: string): Promise<boolean> {
    return (await this.list(session)).some(({ _id }) => _id === id);
  }

  /** The active ones of these sessions. */
  async alive(ids: readonly string[]): Promise<Set<string>> {
    return new Set(await this.#repository.alive(ids.filter(isUuid), this.#alive()));
  }

  /** Ends the session of a token, if there is one: a new sign-in replaces it. */
  async replace(token: string): Promise<void> {
    if (looksLikeToken(token)) this.#announce(await this.#repository.deleteByToken(hashToken(token)));
  }

  /** Ends the current session; one that has just ended is fine. */
  async signOut({ id, user }: Session, caller: Caller): Promise<void> {
    this.#announce(await this.#repository.delete(user._id, id));
    await this.#record('sign-out', user, caller);
  }

  /** @throws AppError not-found for another user's session, or one that has ended */
  async end({ user }: Session, id: string, caller: Caller): Promise<void> {
    const ended = isUuid(id) ? await this.#repository.delete(user._id, id) : [];
    if (ended.length === 0) throw notFound('session');
    this.#announce(ended);
    await this.#record('session-ended', user, caller);
  }

  /** Ends every session of the user, including the current one. */
  async signOutEverywhere({ user }: Session, caller: Caller): Promise<void> {
    await this.endAll(user._id);
    await this.#record('session-ended', user, caller, 'all sessions');
  }

  /** Ends every session of a user. @param except the session that stays */
  async endAll(userId: string, except?: string): Promise<void> {
    this.#announce(await this.#repository.deleteAll(userId, except));
  }

  /** Ends every session of all users without a second factor. */
  async endAllWithoutSecondFactor(): Promise<void> {
    this.#announce(await this.#repository.deleteAllWithoutSecondFactor());
  }

  /** When a session began, in milliseconds since 1970; long ago for one that has ended. */
  async begunAt({ id }: Session): Promise<number> {
    return (await this.#repository.begunAt(id))?.getTime() ?? 0;
  }

  /** Ends expired sessions, whose sockets and rooms may still be open. */
  async endExpired(): Promise<void> {
    this.#announce(await this.#repository.deleteExpired(this.#alive()));
  }

  #alive() {
    return { now: new Date(this.#now()), usedSince: new Date(this.#now() - this.#idleMs) };
  }

  #record(action: 'sign-out' | 'session-ended', user: User, { address }: Caller, subject?: string) {
    const actor = { id: user._id, email: user.email };
    return this.#audit.record({ action, actor, address, ...(subject ? { subject } : {}) });
  }

  #announce(ended: readonly EndedSession[]): void {
    for (const session of ended) this.#ends.announce(session);
  }
}

/** A user as the API presents them. @param mustSetUpSecondFactor before they may do anything else */
export const presentUser = (
  { id, workspaceId, name, email, role, isInstallationOwner }: Omit<Member, '_id'> & { id: string },
  mustSetUpSecondFactor: boolean,
): Member => ({
  ...{ _id: id, workspaceId, name, email, role, isInstallationOwner },
  ...(mustSetUpSecondFactor ? { mustSetUpSecondFactor } : {}),
});

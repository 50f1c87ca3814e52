import { widerNetworks } from '#server/lib/networks';
import type { AuditAction } from '#shared/audit';
import type { AuditService } from './service.ts';

const WINDOW_MS = 10 * 60_000;
/** Entries of one kind, by all strangers together. */
const STRANGERS_IN_WINDOW = 100;
/** Entries of one kind about one account: more than there are routes and events that could refuse it. */
const ACCOUNT_IN_WINDOW = 50;

/** Somebody asked for what they may not have, or for too much, or sent what nobody takes. */
interface Refusal {
  /** At what: each kind has a share of its own. */
  kind: 'front gate' | 'sign-in' | 'access' | 'file';
  /** The account that asked, or that was tried. Null where that is not known. */
  actor: { id: string; email: string } | null;
  /** What was asked, in words of the program: a route, an event, a door. */
  subject: string;
  /** Null where it was not asked over the network. */
  address: string | null;
}

/**
 * Writes what was refused into the security log: the same of the same once in ten minutes, and of each kind so many about one
 * account and so many of all strangers together. So strangers cannot keep out entries about accounts or of another kind. Where
 * a share is used up, the log says so.
 */
export class RefusedAccess {
  readonly #audit: Pick<AuditService, 'record'>;
  readonly #action: AuditAction;
  readonly #now: () => number;
  readonly #written = new Set<string>();
  /** How much of a share is used. */
  readonly #used = new Map<string, number>();
  #since = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds */
  constructor(
    audit: Pick<AuditService, 'record'>,
    { action = 'access-refused', now = Date.now }: { action?: AuditAction; now?: () => number } = {},
  ) {
    this.#audit = audit;
    this.#action = action;
    this.#now = now;
  }

  /** Never throws. */
  note({ kind, actor, subject, address }: Refusal): void {
    const now = this.#now();
    if (now - this.#since >= WINDOW_MS) {
      this.#since = now;
      this.#written.clear();
      this.#used.clear();
    }
    const share = `${kind} ${actor?.id ?? ''}`;
    const used = this.#used.get(share) ?? 0;
    const most = actor ? ACCOUNT_IN_WINDOW : STRANGERS_IN_WINDOW;
    const key = `${share} ${subject} ${actor ? '' : networkOf(address)}`;
    if (used > most || this.#written.has(key)) return;
    this.#used.set(share, used + 1);
    if (used === most) {
      const left = `${kind}: more was refused, and is left out for ten minutes at most`;
      void this.#audit.record({ action: this.#action, actor, subject: left });
      return;
    }
    this.#written.add(key);
    void this.#audit.record({ action: this.#action, actor, subject, ...(address ? { address } : {}) });
  }
}

/** One IPv6 network has addresses enough to fill a share alone. */
const networkOf = (address: string | null): string =>
  address ? (widerNetworks(address).at(-1) ?? address) : '';

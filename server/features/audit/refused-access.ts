import { widerNetworks } from '#server/lib/networks';
import type { AuditAction } from '#shared/audit';
import type { AuditService } from './service.ts';

const WINDOW_MS = 10 * 60_000;
/** Entries of one kind by all unknown requesters together. */
const STRANGERS_IN_WINDOW = 100;
/** Entries of one kind about one account: more than there are routes and events that could refuse it. */
const ACCOUNT_IN_WINDOW = 50;

/** A request that was forbidden, too frequent or malformed. */
interface Refusal {
  /** The place of the refusal: each kind has its own limit. */
  kind: 'front gate' | 'sign-in' | 'access' | 'file';
  /** The requesting account, or the account tried. Null if unknown. */
  actor: { id: string; email: string } | null;
  /** The requested route, event or path. */
  subject: string;
  /** Null for a request that did not come over the network. */
  address: string | null;
}

/**
 * Records refusals in the security log: the same refusal once in ten minutes, and a limited number of each kind about
 * one account and by all unknown requesters together. Strangers thus cannot crowd out entries about accounts or of
 * another kind. The log says when a limit is reached.
 */
export class RefusedAccess {
  readonly #audit: Pick<AuditService, 'record'>;
  readonly #action: AuditAction;
  readonly #now: () => number;
  readonly #written = new Set<string>();
  /** The used part of each limit. */
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

/** One IPv6 network has enough addresses to use up a limit alone. */
const networkOf = (address: string | null): string =>
  address ? (widerNetworks(address).at(-1) ?? address) : '';

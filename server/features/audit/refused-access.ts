import type { AuditAction } from '#shared/audit';
import type { AuditService } from './service.ts';

const WINDOW_MS = 10 * 60_000;
const MAX_IN_WINDOW = 100;

/** Somebody asked for what they may not have, or for too much, or sent what nobody takes. */
interface Refusal {
  /** Null where nobody is signed in. */
  actor: { id: string; email: string } | null;
  /** What was asked, in words of the program: a route, an event, a door. */
  subject: string;
  /** Null where it was not asked over the network. */
  address: string | null;
}

/**
 * Writes what was refused into the security log: the same of the same once in ten minutes, and a hundred in all. Who tries in
 * a thousand ways is seen all the same, and does not fill it.
 */
export class RefusedAccess {
  readonly #audit: Pick<AuditService, 'record'>;
  readonly #action: AuditAction;
  readonly #now: () => number;
  readonly #written = new Set<string>();
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
  note({ actor, subject, address }: Refusal): void {
    const now = this.#now();
    if (now - this.#since >= WINDOW_MS) {
      this.#since = now;
      this.#written.clear();
    }
    const key = `${actor?.id ?? address} ${subject}`;
    if (this.#written.has(key) || this.#written.size >= MAX_IN_WINDOW) return;
    this.#written.add(key);
    void this.#audit.record({ action: this.#action, actor, subject, ...(address ? { address } : {}) });
  }
}

import { v7 as uuidv7 } from 'uuid';
import type { AuditAction, AuditEntry, AuditQuery } from '#shared/audit';
import { storable } from '#shared/storable';
import type { AuditRecord, AuditRepository } from './repository.ts';

/** What was done. Nothing in it may be a secret: no password, no token, no link. */
interface Deed {
  action: AuditAction;
  /** Who did it; null where that is not known. */
  actor: { id: string; email: string } | null;
  /** Whom or what it was about, in a few words. */
  subject?: string;
  /** The network address it came from. */
  address?: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A year, and time to look back at it. */
const KEPT_MS = 400 * DAY_MS;
const MAX_SUBJECT_CHARACTERS = 400;

/** The security log, which owners read: who did what, when and from where. Every feature writes what it has to account for. */
export class AuditService {
  readonly #repository: AuditRepository;
  readonly #onFailure: (error: unknown) => void;

  /** @param onFailure told when an entry could not be written: what was done is done all the same */
  constructor(repository: AuditRepository, onFailure: (error: unknown) => void) {
    this.#repository = repository;
    this.#onFailure = onFailure;
  }

  /** Writes an entry. Never rejects. */
  async record({ action, actor, subject, address }: Deed): Promise<void> {
    try {
      await this.#repository.insert({
        id: uuidv7(),
        at: new Date(),
        actorId: actor?.id ?? null,
        actor: actor?.email ?? '',
        action,
        subject: subject === undefined ? null : storable(subject.slice(0, MAX_SUBJECT_CHARACTERS)),
        address: address ?? null,
      });
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** Newest first. @returns with the cursor of the next page; null on the last one */
  async list({ limit, cursor }: AuditQuery): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
    const rows = await this.#repository.list(limit + 1, cursor);
    const entries = rows.slice(0, limit);
    return {
      entries: entries.map(present),
      nextCursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null,
    };
  }

  /** Removes what is so old that nobody has to account for it any more. */
  async removeOld(): Promise<void> {
    await this.#repository.deleteBefore(uuidv7({ msecs: Date.now() - KEPT_MS }));
  }
}

const present = ({ id, at, actor, action, subject, address }: AuditRecord): AuditEntry => ({
  _id: id,
  at: at.toISOString(),
  actor,
  action,
  ...(subject === null ? {} : { subject }),
  ...(address === null ? {} : { address }),
});

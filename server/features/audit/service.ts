import { v7 as uuidv7 } from 'uuid';
import type { AuditAction, AuditEntry, AuditQuery } from '#shared/audit';
import { storable } from '#shared/storable';
import type { AuditRecord, AuditRepository } from './repository.ts';

/** A logged action. Must not contain a secret: no password, token or link. */
interface Deed {
  action: AuditAction;
  /** The acting account; null if unknown. */
  actor: { id: string; email: string } | null;
  /** The person or thing concerned, in a few words. */
  subject?: string;
  /** The network address of the request. */
  address?: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A year, and time to look back at it. */
const KEPT_MS = 400 * DAY_MS;
const MAX_SUBJECT_CHARACTERS = 400;

/**
 * The security log, which owners read: actions with their account, time and address. Every feature writes its own
 * entries.
 */
export class AuditService {
  readonly #repository: AuditRepository;
  readonly #onFailure: (error: unknown) => void;

  /** @param onFailure called when an entry could not be written: the action is done regardless */
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

  /** Deletes entries past their time. */
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

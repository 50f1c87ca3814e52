import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { AuditService } from '#server/features/audit/service';
import { conflict, invalidInput, notFound } from '#server/lib/errors';
import type { KeyHolder } from '#server/lib/principal';
import type { Member } from '#server/lib/session';
import { hashToken, newToken } from '#server/lib/tokens';
import type { ApiKey, KeyRequest, NewApiKey } from '#shared/keys';
import { refusal } from '#shared/refusals/refusal';
import type { ApiKeyRecord, KeysRepository } from './repository.ts';

const MAX_KEYS = 50;
const PREFIX = 'sk_';
/** Shown to recognise a key by: the prefix and six of its 43 random characters. */
const SHOWN_CHARACTERS = 9;
/** A last use is stored this often, in milliseconds. */
const USE_NOTED_EVERY_MS = 60_000;

interface KeysDependencies {
  repository: KeysRepository;
  audit: AuditService;
  /** Told when a use could not be stored; the request goes on. */
  onFailure(error: unknown): void;
  now?: () => number;
}

/** Keys by which programs ask in the name of a workspace. */
export class KeysService {
  readonly #deps: KeysDependencies;
  readonly #now: () => number;

  constructor(deps: KeysDependencies) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
  }

  /**
   * @returns the key itself, which is told only here
   * @throws AppError invalid-input for an expiry that is past, conflict for too many keys
   */
  async make(owner: Member, { name, scopes, expiresAt }: KeyRequest, address: string): Promise<NewApiKey> {
    const { repository } = this.#deps;
    const now = this.#now();
    const expiry = expiresAt === undefined ? null : new Date(expiresAt);
    if (expiry && expiry.getTime() <= now) throw invalidInput('keys.expiry-past', 'expiresAt');
    if ((await repository.count(owner.workspaceId)) >= MAX_KEYS)
      throw conflict(refusal('keys.full', { max: MAX_KEYS }));
    const key = PREFIX + newToken();
    const record: ApiKeyRecord = {
      id: uuidv7(),
      workspaceId: owner.workspaceId,
      name,
      scopes: [...new Set(scopes)],
      prefix: key.slice(0, SHOWN_CHARACTERS),
      hash: hashToken(key),
      createdAt: new Date(now),
      lastUsedAt: null,
      expiresAt: expiry,
    };
    await repository.insert(record);
    await this.#record(owner, `key made: ${name} (${record.prefix}…)`, address);
    return { ...present(record), key };
  }

  /** Newest first, expired ones included. */
  async list({ workspaceId }: Member): Promise<ApiKey[]> {
    return (await this.#deps.repository.list(workspaceId)).map(present);
  }

  /** @throws AppError not-found */
  async delete(owner: Member, id: string, address: string): Promise<void> {
    const deleted = isUuid(id) ? await this.#deps.repository.delete(owner.workspaceId, id) : null;
    if (!deleted) throw notFound('key');
    await this.#record(owner, `key deleted: ${deleted.name} (${deleted.prefix}…)`, address);
  }

  /** @returns whose key it is; null for one that is unknown, deleted or expired */
  async authenticate(token: string): Promise<KeyHolder | null> {
    if (!token.startsWith(PREFIX)) return null;
    const { repository, onFailure } = this.#deps;
    const now = this.#now();
    const key = await repository.findByHash(hashToken(token), new Date(now));
    if (!key) return null;
    if (key.lastUsedAt === null || key.lastUsedAt.getTime() < now - USE_NOTED_EVERY_MS)
      await repository
        .noteUse(key.id, new Date(now), new Date(now - USE_NOTED_EVERY_MS))
        .catch((error: unknown) => onFailure(error));
    return { kind: 'key', keyId: key.id, workspaceId: key.workspaceId, scopes: key.scopes };
  }

  async #record(owner: Member, subject: string, address: string): Promise<void> {
    const actor = { id: owner._id, email: owner.email };
    await this.#deps.audit.record({ action: 'settings-changed', actor, subject, address });
  }
}

const present = (record: ApiKeyRecord): ApiKey => ({
  _id: record.id,
  name: record.name,
  scopes: [...record.scopes],
  prefix: record.prefix,
  createdAt: record.createdAt.toISOString(),
  ...(record.lastUsedAt ? { lastUsedAt: record.lastUsedAt.toISOString() } : {}),
  ...(record.expiresAt ? { expiresAt: record.expiresAt.toISOString() } : {}),
});

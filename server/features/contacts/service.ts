import { validate as isUuid } from 'uuid';
import type { AuditService } from '#server/features/audit/service';
import { type ConversationsService, presentContact } from '#server/features/conversations/service';
import { conflict, notFound } from '#server/lib/errors';
import type { Sight } from '#server/lib/principal';
import type { Scope } from '#server/lib/scope';
import type { Member } from '#server/lib/session';
import type { ContactListQuery, ContactWithConversations } from '#shared/contacts';
import type { KnownContact } from '#shared/conversations';
import type { ContactRecord, ContactsRepository } from './repository.ts';

interface ContactPage {
  contacts: KnownContact[];
  /** Null on the last page. */
  nextCursor: string | null;
}

const LISTED_CONVERSATIONS = 100;

/** The contacts of a workspace. Throws `notFound` for an id that is malformed, missing or of another workspace. */
export class ContactsService {
  readonly #repository: ContactsRepository;
  readonly #conversations: Pick<ConversationsService, 'listOfWorkspace' | 'deleteAll'>;
  readonly #audit: AuditService;

  constructor(parts: {
    repository: ContactsRepository;
    conversations: Pick<ConversationsService, 'listOfWorkspace' | 'deleteAll'>;
    audit: AuditService;
  }) {
    this.#repository = parts.repository;
    this.#conversations = parts.conversations;
    this.#audit = parts.audit;
  }

  /** Newest first. */
  async list({ workspaceId }: Scope, { q, cursor, limit }: ContactListQuery): Promise<ContactPage> {
    const before = cursor !== undefined && isUuid(cursor) ? cursor : null;
    const rows = await this.#repository.list(workspaceId, q || null, before, limit + 1);
    const page = rows.slice(0, limit);
    const nextCursor = rows.length > page.length ? (page.at(-1)?.id ?? null) : null;
    return { contacts: page.map(presentContact), nextCursor };
  }

  /** The contact with their newest conversations. */
  async get(sight: Sight, id: string): Promise<ContactWithConversations> {
    const contact = await this.#find(sight.workspaceId, id);
    const { conversations } = await this.#conversations.listOfWorkspace(sight, {
      contactId: contact.id,
      view: 'summary',
      limit: LISTED_CONVERSATIONS,
    });
    return { ...presentContact(contact), conversations };
  }

  /**
   * Erases a contact and everything they said.
   * @throws AppError conflict for a member, who is removed in Members instead
   */
  async erase(by: Member, id: string, address: string): Promise<void> {
    const contact = await this.#find(by.workspaceId, id);
    if (contact.userId !== null) throw conflict('accounts.contact-is-member');
    await this.#conversations.deleteAll({ workspaceId: contact.workspaceId, contactId: contact.id });
    await this.#repository.delete(by.workspaceId, contact.id);
    const actor = { id: by._id, email: by.email };
    await this.#audit.record({ action: 'erased', actor, address, subject: `contact ${contact.id}` });
  }

  async #find(workspaceId: string, id: string): Promise<ContactRecord> {
    const contact = isUuid(id) ? await this.#repository.find(workspaceId, id) : null;
    if (!contact) throw notFound('contact');
    return contact;
  }
}

import { type Subscription, subscription } from '#server/events/subscription';
import type { DocumentsService } from './service.ts';

/** Deletes the documents that only a deleted agent had. */
export const documentsSubscription = (documents: Pick<DocumentsService, 'forgetUnread'>): Subscription =>
  subscription({
    name: 'documents',
    types: ['agent.deleted'],
    handle: ({ workspaceId, contactId }) => documents.forgetUnread({ workspaceId, contactId }),
  });

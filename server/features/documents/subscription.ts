import { type Subscription, subscription } from '#server/events/subscription';
import type { DocumentsService } from './service.ts';

/** Documents that only an agent read who was deleted go with it. */
export const documentsSubscription = (documents: Pick<DocumentsService, 'forgetUnread'>): Subscription =>
  subscription({
    name: 'documents',
    types: ['agent.deleted'],
    handle: ({ workspaceId, contactId }) => documents.forgetUnread({ workspaceId, contactId }),
  });

import type { KnowledgeDocument } from '#shared/documents';
import type { TriedChange } from '#web/lib/tried-change';

const asked = 'What your customers asked last, answered by the agent as it is';

export const ifAdded = (title: string, change: TriedChange['change']): TriedChange => ({
  change,
  title: `If “${title}” is added`,
  description: `${asked} and with this document. Nothing is added yet.`,
  changedAs: 'With this document',
});

export const ifRemoved = ({ _id, title }: KnowledgeDocument): TriedChange => ({
  change: { documents: { remove: [_id] } },
  title: `If “${title}” is removed`,
  description: `${asked} and without this document. Nothing is removed yet.`,
  changedAs: 'Without this document',
});

export const ifReplaced = ({ title }: KnowledgeDocument, change: TriedChange['change']): TriedChange => ({
  change,
  title: `If “${title}” is replaced`,
  description: `${asked} and with the new file in its place. Nothing is replaced yet.`,
  changedAs: 'With the new file',
});

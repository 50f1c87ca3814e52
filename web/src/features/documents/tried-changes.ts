import type { KnowledgeDocument } from '#shared/documents';
import type { TriedChange } from '#web/lib/tried-change';
import { t } from '#web/texts/documents';

export const ifAdded = (title: string, change: TriedChange['change']): TriedChange => ({
  change,
  title: t('tried.addedTitle', { title }),
  description: t('tried.addedText'),
  changedAs: t('tried.added'),
});

export const ifRemoved = ({ _id, title }: KnowledgeDocument): TriedChange => ({
  change: { documents: { remove: [_id] } },
  title: t('tried.removedTitle', { title }),
  description: t('tried.removedText'),
  changedAs: t('tried.removed'),
});

export const ifReplaced = ({ title }: KnowledgeDocument, change: TriedChange['change']): TriedChange => ({
  change,
  title: t('tried.replacedTitle', { title }),
  description: t('tried.replacedText'),
  changedAs: t('tried.replaced'),
});

import type { VersionField } from '#shared/agent-versions';
import { t } from '#web/texts/agents';

/** Names of an agent's fields, in the order of its form. */
export const fieldNames: readonly { field: VersionField; name: string }[] = [
  { field: 'name', name: t('fields.name') },
  { field: 'companyName', name: t('fields.company') },
  { field: 'personality', name: t('fields.personality') },
  { field: 'companyInfo', name: t('fields.companyInfo') },
  { field: 'greeting', name: t('fields.greeting') },
  { field: 'goodbye', name: t('fields.goodbye') },
  { field: 'answers', name: t('fields.answers') },
  { field: 'neverSay', name: t('fields.neverSays') },
  { field: 'handOverWhen', name: t('fields.takeover') },
  { field: 'prompts', name: t('fields.prompts') },
  { field: 'language', name: t('fields.language') },
  { field: 'masks', name: t('fields.masks') },
  { field: 'documents', name: t('fields.documents') },
  { field: 'actions', name: t('fields.actions') },
];

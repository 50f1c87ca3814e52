import { t } from '#web/texts/contacts';
import type { ShownContact } from './api.ts';

/** How a contact is called where they have not said their name: by what else is known of them. */
export const contactName = ({ name, email, phone, externalId }: Omit<ShownContact, '_id'>): string =>
  name ?? email ?? phone ?? externalId ?? t('unnamed');

import { t } from '#web/texts/contacts';
import type { ShownContact } from './api.ts';

/** A contact's name, or another known detail if they have not given one. */
export const contactName = ({ name, email, phone, externalId }: Omit<ShownContact, '_id'>): string =>
  name ?? email ?? phone ?? externalId ?? t('unnamed');

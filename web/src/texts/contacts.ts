import { contacts } from './en/contacts.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: contacts });

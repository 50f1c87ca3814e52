import { accounts } from './en/accounts.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: accounts });

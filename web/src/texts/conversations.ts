import { conversations } from './en/conversations.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: conversations });

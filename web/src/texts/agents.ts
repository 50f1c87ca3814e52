import { agents } from './en/agents.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: agents });

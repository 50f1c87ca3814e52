import { entry } from './en/entry.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: entry });

import { unanswered } from './en/unanswered.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: unanswered });

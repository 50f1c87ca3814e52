import { dashboard } from './en/dashboard.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: dashboard });

import { settings } from './en/settings.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: settings });

import { app } from './en/app.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: app });

import { engines } from './en/engines.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: engines });

import { calls } from './en/calls.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: calls });

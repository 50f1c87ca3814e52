import { common } from './en/common.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: common });

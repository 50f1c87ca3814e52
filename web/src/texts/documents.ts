import { documents } from './en/documents.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: documents });

import { rooms } from './en/rooms.ts';
import { textsOf } from './language.ts';

export const t = textsOf({ en: rooms });

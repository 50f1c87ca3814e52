import { validate as isUuid } from 'uuid';
import { invalidInput } from '#server/lib/errors';
import type { ConversationListQuery } from '#shared/conversations';

const DAY_MS = 24 * 60 * 60 * 1000;
const LAST_MS = 2 ** 48 - 1;

/** The time at which a UUIDv7 was made (RFC 9562: its first 48 bits are milliseconds since 1970). */
export function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/**
 * The period and the cursor of a list as bounds of ids.
 * @throws AppError invalid-input for an invalid cursor, or a period that ends before it begins
 */
export function idsBetween(query: Pick<ConversationListQuery, 'from' | 'to' | 'cursor'>): {
  fromId?: string;
  beforeId?: string;
} {
  const { from, to, cursor } = query;
  if (cursor !== undefined && !isUuid(cursor)) throw invalidInput('conversations.cursor', 'cursor');
  const fromMs = from === undefined ? null : Date.parse(from);
  const endMs = to === undefined ? null : Date.parse(to) + (isDay(to) ? DAY_MS : 1);
  if (fromMs !== null && endMs !== null && endMs <= fromMs)
    throw invalidInput('conversations.end-before-beginning', 'to');
  // Ids of equal format sort by their bytes.
  const [beforeId] = [endMs === null ? null : firstIdOf(endMs), cursor?.toLowerCase()]
    .filter((id) => typeof id === 'string')
    .sort();
  return {
    ...(fromMs === null ? {} : { fromId: firstIdOf(fromMs) }),
    ...(beforeId === undefined ? {} : { beforeId }),
  };
}

/** The smallest UUIDv7 of a millisecond. */
export function firstIdOf(msecs: number): string {
  const hex = Math.min(Math.max(msecs, 0), LAST_MS).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

const isDay = (moment: string) => !moment.includes('T');

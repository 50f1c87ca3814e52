/** For a text that PostgreSQL refuses. */
export const NOT_STORABLE = 'This text holds a character that cannot be stored.';

/** A password may have any characters: its hash alone is stored. */
const HASHED = new Set(['password', 'currentPassword', 'newPassword']);

/**
 * Whether PostgreSQL can hold all texts of a value, names of fields included: none has a NUL, or half of a pair of units
 * that stands for nothing. Passwords are left out.
 * @param value of JSON, nested no deeper than `MAX_JSON_DEPTH`
 */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  return Object.entries(value).every(
    ([name, each]) => isStorable(name) && (HASHED.has(name) || isStorable(each)),
  );
}

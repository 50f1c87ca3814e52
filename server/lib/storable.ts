/** A password may have any characters: only its hash is stored. */
const HASHED = new Set(['password', 'currentPassword', 'newPassword']);

/**
 * Whether PostgreSQL can store all texts of a value, names of fields included: none has a NUL or half a
 * surrogate pair. Passwords are skipped.
 * @param value JSON, nested no deeper than `MAX_JSON_DEPTH`
 */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  return Object.entries(value).every(
    ([name, each]) => isStorable(name) && (HASHED.has(name) || isStorable(each)),
  );
}

import type { ByteRange } from '#server/engines/storage/contract';

/**
 * Reads a Range header (RFC 9110, 14.2) as players send it: one range of bytes.
 * @param size length of the whole in bytes
 * @returns the range; `null` to send everything, for none, several or a malformed one; `unsatisfiable` if it begins
 *   after the end
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | null | 'unsatisfiable' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const count = Math.min(Number(last), size);
    return count === 0 ? 'unsatisfiable' : { start: size - count, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/**
 * Keys come only from this server, so a wrong one is a programming error, not a bad request.
 * @throws RangeError for a key that could lead elsewhere
 */
export function checkedKey(key: string): string {
  if (!/^(?:[a-z\d-][a-z\d.-]*\/)*(?:[a-z\d-][a-z\d.-]*)?$/.test(key) || key === '')
    throw new RangeError('This is no key of the media store.');
  return key;
}

/**
 * Keys come from this server alone; a wrong one is a mistake in it, not a request that could be refused.
 * @throws RangeError for a key that could lead somewhere else
 */
export function checkedKey(key: string): string {
  if (!/^(?:[a-z\d-][a-z\d.-]*\/)*(?:[a-z\d-][a-z\d.-]*)?$/.test(key) || key === '')
    throw new RangeError('This is no key of the media store.');
  return key;
}

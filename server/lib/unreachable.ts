/**
 * Why a configured server cannot be reached, as the end of a sentence; undefined if the network is not the
 * cause.
 */
export function whyUnreachable(error: unknown): string | undefined {
  // A host with several addresses fails with one error that holds the others.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && 'code' in first ? reasons[String(first.code)] : undefined;
}

/** An address without its password, safe to show. */
export function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  url.search = '';
  return url.href;
}

/** Whether two addresses differ only in their passwords. */
export function differsByPassword(one: string, other: string): boolean {
  const [first, second] = [new URL(one), new URL(other)];
  first.password = second.password;
  return first.href === second.href;
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens at that address',
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host cannot be looked up at the moment',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it closes the connection',
  ENOENT: 'there is no such socket',
  EACCES: 'this user may not open its socket',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody who is trusted here made its certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody who is trusted here made its certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'nobody who is trusted here made its certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is of another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

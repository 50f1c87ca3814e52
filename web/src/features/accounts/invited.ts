/** What an invitation's link says. */
export interface Invited {
  /** Whom it is for; empty where the link was cut. */
  email: string;
  secret: string;
}

/** Reads an invitation out of what stands behind the # of an address; null where there is none. */
export function readInvitation(hash: string): Invited | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const secret = fields.get('invitation');
  return secret ? { secret, email: fields.get('email') ?? '' } : null;
}

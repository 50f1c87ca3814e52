/** The contents of an invitation link. */
export interface Invited {
  /** The invited address; empty if the link was cut off. */
  email: string;
  secret: string;
}

/** Reads an invitation from the # part of an address; null without one. */
export function readInvitation(hash: string): Invited | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const secret = fields.get('invitation');
  return secret ? { secret, email: fields.get('email') ?? '' } : null;
}

/** Secrets that bind one sign-in at a provider, from beginning to end. */
export interface Challenge {
  state: string;
  nonce: string;
  /** PKCE verifier (RFC 7636). */
  verifier: string;
  /** Address to which the provider sends the browser back. */
  redirectUri: string;
}

/** A person as the provider describes them. The subject stays the same for ever; the rest may change. */
export interface Identity {
  issuer: string;
  subject: string;
  email: string | null;
  /** The provider says that the address belongs to them. */
  isEmailVerified: boolean;
  name: string | null;
}

/** An external sign-in provider that we trust. The first two methods reject with an IdentityError. */
export interface IdentityProvider {
  /** Its name for people. */
  readonly label: string;
  /** The address at the provider at which the browser signs in. */
  signInAddress(challenge: Challenge): Promise<string>;
  /** @param answer the query that the browser came back with */
  identify(challenge: Challenge, answer: URLSearchParams): Promise<Identity>;
  /** Uses this client secret from now on. */
  takeSecret(clientSecret: string): void;
}

/**
 * The provider is away, or the answer is not a valid sign-in. Holds none of the provider's words, which may
 * name people.
 */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly kind: 'away' | 'refused';
  /** Kind of failure, for the log. */
  readonly code: string;

  constructor(kind: 'away' | 'refused', code: string) {
    super(kind === 'away' ? 'The identity provider is away.' : 'The identity provider let nobody in.');
    this.kind = kind;
    this.code = code;
  }
}

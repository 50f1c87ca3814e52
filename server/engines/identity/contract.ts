/** What a sign-in at a provider is bound to, from its beginning to its end. */
export interface Challenge {
  state: string;
  nonce: string;
  /** Of PKCE (RFC 7636). */
  verifier: string;
  /** Where the provider sends the browser back to. */
  redirectUri: string;
}

/** Who somebody is, as a provider says. The subject is one person at that issuer for ever; the rest may change. */
export interface Identity {
  issuer: string;
  subject: string;
  email: string | null;
  /** Whether the provider says that the address is theirs. */
  isEmailVerified: boolean;
  name: string | null;
}

/** Somebody else's sign-in page that is believed. The first two reject with an IdentityError. */
export interface IdentityProvider {
  /** What people call it. */
  readonly label: string;
  /** The address at the provider at which the browser signs in. */
  signInAddress(challenge: Challenge): Promise<string>;
  /** @param answer the query with which the browser came back */
  identify(challenge: Challenge, answer: URLSearchParams): Promise<Identity>;
  /** Shows the provider this secret from now on. */
  takeSecret(clientSecret: string): void;
}

/** The provider is away, or what came back is no sign-in. Its words stay out: they may name people. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly kind: 'away' | 'refused';
  /** What went wrong, by its kind, for the log. */
  readonly code: string;

  constructor(kind: 'away' | 'refused', code: string) {
    super(kind === 'away' ? 'The identity provider is away.' : 'The identity provider let nobody in.');
    this.kind = kind;
    this.code = code;
  }
}

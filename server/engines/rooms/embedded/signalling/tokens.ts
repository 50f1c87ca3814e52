import { AccessToken, type ClaimGrants, TokenVerifier, type VideoGrant } from 'livekit-server-sdk';
import type { Participant } from './participant.ts';
import { grantOf } from './permissions.ts';
import type { Room } from './room.ts';

export interface Keys {
  apiKey: string;
  apiSecret: string;
}

/** The token does not admit; the message says why. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
}

/** Lifetime and renewal interval of tokens during a call; LiveKit's own numbers. */
const REFRESHED_TTL_S = 600;
export const REFRESH_MS = 300_000;
const MAX_TOKEN_CHARACTERS = 64_000;

const ALGORITHM = 'HS256';

/** Verifies and issues tokens (JSON Web Tokens, HS256) compatible with LiveKit's SDKs. */
export class Tokens {
  readonly #keys: Keys;
  readonly #verifier: TokenVerifier;

  constructor(keys: Keys) {
    this.#keys = keys;
    this.#verifier = new TokenVerifier(keys.apiKey, keys.apiSecret);
  }

  /** @throws Unauthorized if it is missing, expired, forged or another server's */
  async read(token: string | null | undefined): Promise<ClaimGrants & { video: VideoGrant }> {
    if (!token || token.length > MAX_TOKEN_CHARACTERS)
      throw new Unauthorized('no permissions to access the room');
    // The library accepts any algorithm for a shared key; we allow exactly one (RFC 8725, 3.1).
    if (algorithmOf(token) !== ALGORITHM)
      throw new Unauthorized('invalid token: it is not signed as this server signs');
    let claims: ClaimGrants;
    try {
      claims = await this.#verifier.verify(token);
    } catch {
      throw new Unauthorized('invalid token: it has expired or is not of this server');
    }
    const { video } = claims;
    if (!video) throw new Unauthorized('permissions denied');
    return { ...claims, video };
  }

  /** Renews a participant's token with their current rights. */
  async renewed(room: Room, participant: Participant, kind: string | undefined): Promise<string> {
    const token = new AccessToken(this.#keys.apiKey, this.#keys.apiSecret, {
      identity: participant.identity,
      name: participant.name,
      metadata: participant.metadata,
      attributes: participant.attributes,
      ttl: REFRESHED_TTL_S,
    });
    if (kind) token.kind = kind;
    token.addGrant(grantOf(room.name, participant.permissions));
    return token.toJwt();
  }
}

/** The token's declared algorithm; null if unreadable. */
function algorithmOf(token: string): unknown {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
    return typeof header === 'object' && header !== null && 'alg' in header ? header.alg : null;
  } catch {
    return null;
  }
}

import { AccessToken, type ClaimGrants, TokenVerifier, type VideoGrant } from 'livekit-server-sdk';
import type { Participant } from './participant.ts';
import { grantOf } from './permissions.ts';
import type { Room } from './room.ts';

export interface Keys {
  apiKey: string;
  apiSecret: string;
}

/** A token that does not open this door; the message says why. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
}

/** How long a token that is renewed during a call lasts, and how often it is; LiveKit's own numbers. */
const REFRESHED_TTL_S = 600;
export const REFRESH_MS = 300_000;
const MAX_TOKEN_CHARACTERS = 64_000;

const ALGORITHM = 'HS256';

/** Reads and makes the tokens (JSON Web Tokens, HS256) that LiveKit's SDKs make and read. */
export class Tokens {
  readonly #keys: Keys;
  readonly #verifier: TokenVerifier;

  constructor(keys: Keys) {
    this.#keys = keys;
    this.#verifier = new TokenVerifier(keys.apiKey, keys.apiSecret);
  }

  /** @throws Unauthorized when there is none, or it is expired, forged or somebody else's */
  async read(token: string | null | undefined): Promise<ClaimGrants & { video: VideoGrant }> {
    if (!token || token.length > MAX_TOKEN_CHARACTERS)
      throw new Unauthorized('no permissions to access the room');
    // The library takes whatever a shared key can sign; we make and take one kind (RFC 8725, 3.1).
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

  /** A token like the one somebody came with, which says what holds now and lasts a while longer. */
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

/** How a token says that it is signed; null for anything that cannot be read. */
function algorithmOf(token: string): unknown {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
    return typeof header === 'object' && header !== null && 'alg' in header ? header.alg : null;
  } catch {
    return null;
  }
}

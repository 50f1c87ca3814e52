import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
} from 'openid-client';
import { z } from 'zod';
import { IdentityError, type IdentityProvider } from './contract.ts';

/** Timeout in seconds of each request, DNS to end of body: a person waits. */
const PATIENCE_S = 8;

const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  email: z.string().optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
});

/**
 * Signs people in by OpenID Connect: authorization code with PKCE, state and nonce. The provider's metadata
 * is fetched at the first sign-in and again after a failure, so the server starts without the provider.
 */
export function createOpenIdConnect(options: {
  issuer: string;
  clientId: string;
  clientSecret: string;
  label: string;
  patienceS?: number;
}): IdentityProvider {
  const { issuer, clientId, label, patienceS = PATIENCE_S } = options;
  let { clientSecret } = options;
  let found: Promise<Configuration> | null = null;

  function discover(): Promise<Configuration> {
    found ??= discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: patienceS,
      // The settings allow http on this machine only.
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    }).catch((error: unknown) => {
      found = null;
      throw new IdentityError('away', codeOf(error));
    });
    return found;
  }

  return {
    label,
    async signInAddress({ state, nonce, verifier, redirectUri }) {
      const address = buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        response_type: 'code',
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return address.href;
    },
    async identify({ state, nonce, verifier, redirectUri }, answer) {
      const configuration = await discover();
      const back = new URL(redirectUri);
      back.search = answer.toString();
      try {
        const tokens = await authorizationCodeGrant(configuration, back, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const told = tokens.claims();
        const claims = claimsSchema.parse(told);
        // Some providers give the address only at the user-info endpoint.
        const more = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint;
        const info = more ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
        const { iss, sub, email, email_verified, name } = claimsSchema.parse({ ...info, ...told });
        return {
          issuer: iss,
          subject: sub,
          email: email ?? null,
          isEmailVerified: email_verified === true,
          name: name ?? null,
        };
      } catch (error) {
        const isAway = !(error instanceof AuthorizationResponseError) && isNetwork(error);
        throw new IdentityError(isAway ? 'away' : 'refused', codeOf(error));
      }
    },
    takeSecret(next) {
      clientSecret = next;
      found = null;
    },
  };
}

/** Whether `fetch` failed by network or timeout. */
const isNetwork = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' ||
    (error instanceof TypeError && !('code' in error)) ||
    ('code' in error && error.code === 'OAUTH_TIMEOUT'));

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};

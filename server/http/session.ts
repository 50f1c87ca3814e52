import type { FastifyInstance, FastifyRequest } from 'fastify';
import { internal, secondFactorMissing, unauthenticated } from '#server/lib/errors';
import {
  EVERY_MEMBER,
  mustSetUpSecondFactor,
  type Principal,
  refuseUnserved,
  type Serves,
  scopeOf,
} from '#server/lib/principal';
import { accountOf } from '#server/lib/scope';
import type { Member, Session } from '#server/lib/session';
import { normalPath } from './normal-path.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Whether the principal is known: always true on routes that are neither public nor take signed links.
     */
    readonly isSignedIn: boolean;
    /** The request's token, valid or not; null without one. */
    readonly bearer: string | null;
    /** Who asks. Not on public routes. */
    readonly principal: Principal;
    /** The account that limits count for. Not on public routes. */
    readonly account: string;
    /** The signed-in member. Only on routes that serve members alone. */
    readonly user: Member;
    /** The session of the request. Only on routes that serve members alone. */
    readonly session: Session;
  }
  interface FastifyContextConfig {
    /** Needs no token. Every other route below /api does. */
    public?: boolean;
    /** Also available to users who must set up a second factor and have not yet. */
    beforeSecondFactor?: boolean;
    /** Who may use it; default: every member, and nobody else. */
    serves?: readonly Serves[];
    /**
     * Also accepts signed links, which the route verifies itself: a request without a token may carry a
     * signature.
     */
    signedLinks?: boolean;
  }
}

/**
 * Requires a valid token for every request below /api, unless its route is public, and refuses principals that the
 * route does not serve.
 */
export function requireSession(
  app: FastifyInstance,
  authenticate: (token: string) => Promise<Principal | null>,
): void {
  const principals = new WeakMap<object, Principal>();
  const principalOf = (request: object): Principal => {
    const principal = principals.get(request);
    if (!principal) throw internal(new Error('A public route has no principal.'));
    return principal;
  };
  const sessionOf = (request: object): Session => {
    const principal = principalOf(request);
    if (principal.kind !== 'member')
      throw internal(new Error('A route that serves others than members has no user.'));
    return principal.session;
  };
  app.decorateRequest('principal', {
    getter() {
      return principalOf(this);
    },
  });
  app.decorateRequest('account', {
    getter() {
      return accountOf(scopeOf(principalOf(this)));
    },
  });
  app.decorateRequest('user', {
    getter() {
      return sessionOf(this).user;
    },
  });
  app.decorateRequest('session', {
    getter() {
      return sessionOf(this);
    },
  });

  app.decorateRequest('isSignedIn', {
    getter() {
      return principals.has(this);
    },
  });

  app.decorateRequest('bearer', {
    getter() {
      return bearerToken(this.headers.authorization);
    },
  });

  app.addHook('onRequest', async (request) => {
    const { config, url } = request.routeOptions;
    if (request.is404 || config.public || !isApi(url)) return;
    if (config.signedLinks && request.headers.authorization === undefined && isSigned(request.query)) return;
    const principal = request.bearer === null ? null : await authenticate(request.bearer);
    if (!principal) throw unauthenticated();
    // Set before the checks below, so that the security log can name a refused user.
    principals.set(request, principal);
    if (mustSetUpSecondFactor(principal) && !config.beforeSecondFactor) throw secondFactorMissing();
    refuseUnserved(config.serves ?? EVERY_MEMBER, principal);
  });
}

const isSigned = (query: unknown) => typeof query === 'object' && query !== null && 'signature' in query;

/** @param path a route's path, or an address in normal form */
export const isApi = (path: string | undefined): boolean => /^\/api(?:\/|$)/.test(path ?? '');

/** Whether a request is for the API: by its route, or by its path if there is none. */
export const isForApi = ({ routeOptions, url }: Pick<FastifyRequest, 'routeOptions' | 'url'>): boolean =>
  isApi(routeOptions.url) || isApi(normalPath(url) ?? url);

/** The token of an `Authorization: Bearer` header (RFC 6750); the scheme is case-insensitive. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +([\w~+/.=-]+)$/i.exec(header?.trim() ?? '')?.[1] ?? null;
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  forbidden,
  forSupervisors,
  internal,
  secondFactorMissing,
  unauthenticated,
} from '#server/lib/errors';
import type { Member, Session } from '#server/lib/session';
import { normalPath } from './normal-path.ts';

/** Who may use a route: owners of the installation; owners of a workspace; owners and supervisors. */
type Served = 'installation-owners' | 'owners' | 'supervisors';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Whether the request is signed in: always true on routes that are neither public nor take signed links.
     */
    readonly isSignedIn: boolean;
    /** The request's token, valid or not; null without one. */
    readonly bearer: string | null;
    /** The signed-in user. Not on public routes. */
    readonly user: Member;
    /** The session of the request. Not on public routes. */
    readonly session: Session;
  }
  interface FastifyContextConfig {
    /** Needs no token. Every other route below /api does. */
    public?: boolean;
    /** Also available to users who must set up a second factor and have not yet. */
    beforeSecondFactor?: boolean;
    /** Who may use it; default: every member. */
    serves?: Served;
    /**
     * Also accepts signed links, which the route verifies itself: a request without a token may carry a
     * signature.
     */
    signedLinks?: boolean;
  }
}

/** Requires a valid token for every request below /api, unless its route is public. */
export function requireSession(
  app: FastifyInstance,
  authenticate: (token: string) => Promise<Session | null>,
): void {
  const sessions = new WeakMap<object, Session>();
  const sessionOf = (request: object): Session => {
    const session = sessions.get(request);
    if (!session) throw internal(new Error('A public route has no user.'));
    return session;
  };
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
      return sessions.has(this);
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
    const session = request.bearer === null ? null : await authenticate(request.bearer);
    if (!session) throw unauthenticated();
    // Set before the checks below, so that the security log can name a refused user.
    sessions.set(request, session);
    if (session.user.mustSetUpSecondFactor && !config.beforeSecondFactor) throw secondFactorMissing();
    if (config.serves) refuseOthers(config.serves, session.user);
  });
}

/** @throws AppError forbidden for a member whom the route does not serve */
function refuseOthers(serves: Served, { role, isInstallationOwner }: Member): void {
  if (serves === 'installation-owners' && !isInstallationOwner) throw forbidden('common.installation-owners');
  if (serves === 'owners' && role !== 'owner') throw forbidden('common.workspace-owners');
  if (serves === 'supervisors' && role === 'member') throw forSupervisors();
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

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

/** Owners of the installation; owners of a workspace; these and its supervisors. */
type Served = 'installation-owners' | 'owners' | 'supervisors';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether somebody is signed in: on routes that are not public and do not take signed links, always. */
    readonly isSignedIn: boolean;
    /** The token that came with the request, whatever it is worth; null without one. */
    readonly bearer: string | null;
    /** The signed-in user. Only on routes that are not public. */
    readonly user: Member;
    /** The session that the request was made in. Only on routes that are not public. */
    readonly session: Session;
  }
  interface FastifyContextConfig {
    /** Answers without a token. Every other route below /api needs one. */
    public?: boolean;
    /** Answers whoever must set up a second factor, too, before they have. */
    beforeSecondFactor?: boolean;
    /** Whom it answers; every member where it does not say. */
    serves?: Served;
    /** Answers signed links, too, and checks them itself: a request without a token may come with a signature. */
    signedLinks?: boolean;
  }
}

/** Asks every request below /api for a valid token, unless its route says that it is public. */
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
    // Whoever is refused is known by then, for the security log.
    sessions.set(request, session);
    if (session.user.mustSetUpSecondFactor && !config.beforeSecondFactor) throw secondFactorMissing();
    if (config.serves) refuseOthers(config.serves, session.user);
  });
}

/** @throws AppError forbidden for a member whom a route does not serve */
function refuseOthers(serves: Served, { role, isInstallationOwner }: Member): void {
  if (serves === 'installation-owners' && !isInstallationOwner)
    throw forbidden('Only an owner of this installation may do this.');
  if (serves === 'owners' && role !== 'owner')
    throw forbidden('Only an owner of this workspace may do this.');
  if (serves === 'supervisors' && role === 'member') throw forSupervisors();
}

const isSigned = (query: unknown) => typeof query === 'object' && query !== null && 'signature' in query;

/** @param path of a route, or of an address in its normal form */
export const isApi = (path: string | undefined): boolean => /^\/api(?:\/|$)/.test(path ?? '');

/** Whether a request is one for the API: by the route that was found for it, or by its path where there is none. */
export const isForApi = ({ routeOptions, url }: Pick<FastifyRequest, 'routeOptions' | 'url'>): boolean =>
  isApi(routeOptions.url) || isApi(normalPath(url) ?? url);

/** The token of an `Authorization: Bearer` header (RFC 6750): the scheme's name in any case. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +([\w~+/.=-]+)$/i.exec(header?.trim() ?? '')?.[1] ?? null;
}

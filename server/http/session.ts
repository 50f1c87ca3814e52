import type { FastifyInstance } from 'fastify';
import { internal, unauthenticated } from '#server/errors';
import type { User } from '#shared/accounts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user. Only on routes that are not public. */
    readonly user: User;
    /** The token that the request was made with. Only on routes that are not public. */
    readonly token: string;
  }
  interface FastifyContextConfig {
    /** Answers without a token. Every other route below /api needs one. */
    public?: boolean;
  }
}

interface Session {
  user: User;
  token: string;
}

/** Asks every request below /api for a valid token, unless its route says that it is public. */
export function requireSession(
  app: FastifyInstance,
  authenticate: (token: string) => Promise<User | null>,
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
  app.decorateRequest('token', {
    getter() {
      return sessionOf(this).token;
    },
  });

  app.addHook('onRequest', async (request) => {
    if (request.is404 || request.routeOptions.config.public || !isApi(request.routeOptions.url)) return;
    const token = bearerToken(request.headers.authorization);
    const user = token === null ? null : await authenticate(token);
    if (!user || token === null) throw unauthenticated();
    sessions.set(request, { user, token });
  });
}

export const isApi = (url: string | undefined): boolean => /^\/api(?:\/|$|\?)/.test(url ?? '');

/** The token of an `Authorization: Bearer` header (RFC 6750): the scheme's name in any case. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +([\w~+/.=-]+)$/i.exec(header?.trim() ?? '')?.[1] ?? null;
}

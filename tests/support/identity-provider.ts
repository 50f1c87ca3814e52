import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A person at the provider. */
interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface IdentityServer {
  issuer: string;
  /** The person in front of every browser; null: they press Cancel. */
  person: Person | null;
  close(): Promise<void>;
}

export const CLIENT = { clientId: 'sigma', clientSecret: 'a secret that both know' };

/** A real OpenID Connect provider on this machine without typing: `person` signs in and agrees. */
export async function openIdentityServer(redirectUri: string): Promise<IdentityServer> {
  const { issuer, server } = await listening();
  const state: IdentityServer = {
    issuer,
    person: { sub: 'nobody' },
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key for tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: async () => ({ ...(state.person ?? {}), sub: accountId }),
    }),
    async loadExistingGrant(context) {
      const { client, session } = context.oidc;
      const grant = new provider.Grant({
        ...(client ? { clientId: client.clientId } : {}),
        ...(session?.accountId ? { accountId: session.accountId } : {}),
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const passOn = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return void passOn(request, response);
    const result = state.person
      ? { login: { accountId: state.person.sub } }
      : { error: 'access_denied', error_description: 'They pressed Cancel.' };
    void provider.interactionFinished(request, response, result);
  });
  return state;
}

async function listening() {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { server, issuer: `http://127.0.0.1:${port}` };
}

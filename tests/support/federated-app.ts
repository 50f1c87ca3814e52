import { createOpenIdConnect } from '#server/engines/identity/openid-connect';
import type { TicketUse } from '#shared/accounts';
import { CLIENT, type IdentityServer, openIdentityServer } from './identity-provider.ts';
import { openTestApp, type TestApp } from './test-app.ts';

const publicUrl = 'http://127.0.0.1:3999';
/** Where the provider sends browsers back to. */
export const signInBack = `${publicUrl}/sign-in/back`;

export const openAppWithIssuer = (
  issuer: string,
  changes: NonNullable<Parameters<typeof openTestApp>[0]> = {},
) =>
  openTestApp({
    ...changes,
    engines: {
      identity: createOpenIdConnect({ issuer, label: 'Contoso', ...CLIENT }),
      ...changes.engines,
    },
    config: { publicUrl, corsOrigins: [], rateLimit: false },
  });

/** The app with a provider on this machine, and a browser that visits it. */
export async function openFederatedApp(changes: Parameters<typeof openAppWithIssuer>[1] = {}) {
  const provider = await openIdentityServer(signInBack);
  const app = await openAppWithIssuer(provider.issuer, changes);
  const post = (url: string, body: object = {}, to: TestApp = app) =>
    to.server.inject({ method: 'POST', url: `/api/auth/oidc${url}`, body });
  const begin = async () => (await post('')).json();
  const comeBack = async () => {
    const { address, attempt } = await begin();
    return post('/back', { attempt, answer: await visitProvider(address) });
  };
  return {
    app,
    provider,
    post,
    begin,
    comeBack,
    aTicket: async (): Promise<string> => (await comeBack()).json().ticket,
    use: (ticket: string, more: Omit<TicketUse, 'ticket'> = {}) => post('/sign-in', { ticket, ...more }),
    async signIn(more: Omit<TicketUse, 'ticket'> = {}) {
      const { ticket } = (await comeBack()).json();
      return post('/sign-in', { ticket, ...more });
    },
    async close() {
      await app.close();
      await provider.close();
    },
  };
}
export type FederatedApp = Awaited<ReturnType<typeof openFederatedApp>>;
export type Person = NonNullable<IdentityServer['person']>;

/**
 * Follows the provider's redirects with its cookies, like a browser, until it is sent back. @returns the
 * final query
 */
export async function visitProvider(address: string): Promise<string> {
  const cookies = new Map<string, string>();
  let at = address;
  while (!at.startsWith(signInBack)) {
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (!next) throw new Error(`The provider ended at ${at} with ${response.status}.`);
    at = new URL(next, at).href;
  }
  return new URL(at).search.slice(1);
}

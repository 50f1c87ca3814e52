import {
  type Credentials,
  type OwnAccount,
  ownAccountSchema,
  type PasswordReset,
  type ProviderAnswer,
  providerVisitSchema,
  type Registration,
  type SignedIn,
  signedInSchema,
  type TicketUse,
  ticketSchema,
} from '#shared/accounts';
import { request, requestData } from '#web/lib/server/api-client';
import { ApiError } from '#web/lib/server/api-error';

/** @throws ApiError when the server refuses or cannot be reached. */
export function signIn(credentials: Credentials): Promise<SignedIn> {
  return requestData('/api/auth/login', {
    method: 'POST',
    body: credentials,
    schema: signedInSchema,
    token: null,
  });
}

/** @throws ApiError when the server refuses or cannot be reached. */
export function register(registration: Registration): Promise<SignedIn> {
  return requestData('/api/auth/register', {
    method: 'POST',
    body: registration,
    schema: signedInSchema,
    token: null,
  });
}

/** Requests a link to a new password, if the address has an account. @throws ApiError */
export async function askForNewPassword(email: string): Promise<void> {
  await request('/api/auth/password-reset', { method: 'POST', body: { email }, token: null });
}

/** @throws ApiError */
export async function setNewPassword(reset: PasswordReset): Promise<void> {
  await request('/api/auth/password-reset/confirm', { method: 'POST', body: reset, token: null });
}

/** Begins a sign-in at the identity provider. @throws ApiError */
export const beginAtProvider = () =>
  requestData('/api/auth/oidc', { method: 'POST', schema: providerVisitSchema, token: null });

/** @throws ApiError */
export const comeBackFromProvider = (answer: ProviderAnswer) =>
  requestData('/api/auth/oidc/back', { method: 'POST', body: answer, schema: ticketSchema, token: null });

/** @throws ApiError */
export const signInWithTicket = (use: TicketUse): Promise<SignedIn> =>
  requestData('/api/auth/oidc/sign-in', { method: 'POST', body: use, schema: signedInSchema, token: null });

/** Tells the server to forget a token. */
export async function signOut(token: string): Promise<void> {
  await request('/api/auth/logout', { method: 'POST', token });
}

const RETRY_AFTER_MS = [400, 1_200];

/**
 * The signed-in user, and the key of their tab. Retries twice if the server is away or just starting.
 * @throws ApiError if the token is unknown or the server stays away.
 */
export async function fetchUser(signal: AbortSignal): Promise<OwnAccount> {
  for (const pause of RETRY_AFTER_MS) {
    try {
      return await requestData('/api/auth/me', { schema: ownAccountSchema, signal });
    } catch (error) {
      const transient = error instanceof ApiError && (error.status === 0 || error.status >= 500);
      if (!transient) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
      signal.throwIfAborted();
    }
  }
  return requestData('/api/auth/me', { schema: ownAccountSchema, signal });
}

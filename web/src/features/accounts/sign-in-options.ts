import type { SignInOptions } from '#shared/accounts';
import { API_URL } from '#web/lib/server/api-url';

/**
 * How one can come in here, besides by a password. Asked without the API client, which with its schemas is a quarter of
 * the script of the sign-in page and waits until somebody signs in. What cannot be read, or reached, offers nothing.
 */
export async function fetchSignInOptions(signal: AbortSignal): Promise<SignInOptions> {
  const response = await fetch(`${API_URL}/api/auth/options`, { signal });
  const answer: unknown = response.ok ? await response.json() : null;
  if (typeof answer !== 'object' || answer === null) return { passwordReset: false, provider: null };
  const provider = 'provider' in answer ? answer.provider : null;
  return {
    passwordReset: 'passwordReset' in answer && answer.passwordReset === true,
    provider: typeof provider === 'string' ? provider : null,
  };
}

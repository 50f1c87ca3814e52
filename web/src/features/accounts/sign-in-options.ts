import type { SignInOptions } from '#shared/accounts';
import { API_URL } from '#web/lib/server/api-url';

/**
 * The ways to sign in besides a password. Requested without the API client, whose schemas are a quarter of the sign-in
 * page's script and load only at sign-in. An unreadable or missing answer means none.
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

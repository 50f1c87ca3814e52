/** The state of a sign-in at the provider, kept in this tab: another tab or browser cannot finish it. */
const KEY = 'sigma.sign-in';

export const keepAttempt = (attempt: string): void => sessionStorage.setItem(KEY, attempt);

/** Returns it once. */
export function takeAttempt(): string | null {
  const attempt = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return attempt;
}

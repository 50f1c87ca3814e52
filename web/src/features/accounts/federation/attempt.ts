/** What this tab keeps of a sign-in at the provider until it is back: another tab, or another browser, cannot finish it. */
const KEY = 'sigma.sign-in';

export const keepAttempt = (attempt: string): void => sessionStorage.setItem(KEY, attempt);

/** Gives it out once. */
export function takeAttempt(): string | null {
  const attempt = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return attempt;
}

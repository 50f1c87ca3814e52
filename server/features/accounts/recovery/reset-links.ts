import { withoutTrailingSlashes } from '#server/lib/trailing-slashes';
import { hashToken, newToken } from '../sessions/session-tokens.ts';

/** How long a link to a new password works. */
export const RESET_LINK_MINUTES = 30;

/**
 * A link by which somebody sets a new password, and the row that knows it again.
 * @param pageUrl the address of the page
 * @param now milliseconds since 1970
 */
export function newResetLink(userId: string, pageUrl: string, now: number) {
  const secret = newToken();
  const base = new URL(pageUrl);
  // Behind the #, which browsers keep to themselves: no log on the way gets to see it.
  const link = new URL(
    `${base.origin}${withoutTrailingSlashes(base.pathname)}/reset-password#token=${secret}`,
  );
  return {
    link: link.href,
    row: { secretHash: hashToken(secret), userId, expiresAt: new Date(now + RESET_LINK_MINUTES * 60_000) },
  };
}

import { hashToken, newToken } from '#server/lib/tokens';
import { withoutTrailingSlashes } from '#server/lib/trailing-slashes';

/** How long a link to a new password is valid. */
export const RESET_LINK_MINUTES = 30;

/**
 * A link that sets a new password, and the row to store for it.
 * @param pageUrl the address of the page
 * @param now milliseconds since 1970
 */
export function newResetLink(userId: string, pageUrl: string, now: number) {
  const secret = newToken();
  const base = new URL(pageUrl);
  // After the #, which browsers do not send: the secret appears in no log on the way.
  const link = new URL(
    `${base.origin}${withoutTrailingSlashes(base.pathname)}/reset-password#token=${secret}`,
  );
  return {
    link: link.href,
    row: { secretHash: hashToken(secret), userId, expiresAt: new Date(now + RESET_LINK_MINUTES * 60_000) },
  };
}

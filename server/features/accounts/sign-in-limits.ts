import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { rateLimited } from '#server/errors';
import type { LimiterFactory } from '#server/rate-limits';

/** Slows guessing down without letting a stranger lock a customer out. See docs/decisions/2026-11-20-lockout.md. */
export interface SignInLimits {
  /**
   * Counts an attempt as failed before its password is checked, so that many at once are counted too.
   * @param isKnown whether this account has been signed in to from this address before
   * @throws AppError rate-limited with the time to wait
   */
  attempt(email: string, address: string, isKnown: boolean): Promise<void>;
  /** Takes an attempt back: its password was right. */
  succeeded(email: string, address: string): Promise<void>;
  /** @throws AppError rate-limited */
  register(address: string): Promise<void>;
  /**
   * Counts a second factor's code as wrong before it is checked. Only who knows the password gets that far.
   * @throws AppError rate-limited
   */
  code(userId: string): Promise<void>;
  /** Takes it back: the code was right. */
  codeSucceeded(userId: string): Promise<void>;
  /**
   * Counts the steps of sign-ins at an identity provider.
   * @throws AppError rate-limited
   */
  federate(address: string): Promise<void>;
  /**
   * Counts who asks for a link to a new password, for an account that may not be there.
   * @throws AppError rate-limited
   */
  recover(email: string, address: string): Promise<void>;
}

const WINDOW_S = 15 * 60;

export function createSignInLimits(limiter: LimiterFactory): SignInLimits {
  const perPair = backoff(limiter, 'sign-in-pair', { free: 5, firstWaitS: 30, longestWaitS: 300 });
  const perAddress = limiter('sign-in-address', { count: 50, windowS: WINDOW_S });
  const perAccount = backoff(limiter, 'sign-in-account', { free: 10, firstWaitS: 5, longestWaitS: 60 });
  /** Lets somebody in who comes from an address that has not failed at this account, while others attack it. */
  const newcomers = limiter('sign-in-newcomers', { count: 20, windowS: 60 });
  /** Three of a million codes hold at a time: at this pace one is hit by chance in ten months. */
  const perCode = limiter('sign-in-code', { count: 10, windowS: WINDOW_S });
  const perFederation = limiter('federation-address', { count: 120, windowS: WINDOW_S });
  const perRecovered = limiter('recover-account', { count: 5, windowS: 3600 });
  const perRecovering = limiter('recover-address', { count: 20, windowS: 3600 });
  const perRegistration = limiter('register-address', { count: 30, windowS: 3600 });

  return {
    async attempt(email, address, isKnown) {
      const pair = `${address} ${email}`;
      await consume(perAddress, address);
      const isFirstOfPair = await perPair.attempt(pair);
      if (isKnown || (await perAccount.isFree(email))) return;
      if (isFirstOfPair && (await hasRoom(newcomers, email))) return;
      await perAccount.slow(email);
    },
    async succeeded(email, address) {
      await perAddress.reward(address);
      await perPair.forget(`${address} ${email}`);
      await perAccount.takeBack(email);
    },
    async register(address) {
      await consume(perRegistration, address);
    },
    async code(userId) {
      await consume(perCode, userId);
    },
    async codeSucceeded(userId) {
      await perCode.reward(userId);
    },
    async federate(address) {
      await consume(perFederation, address);
    },
    async recover(email, address) {
      await consume(perRecovering, address);
      await consume(perRecovered, email);
    },
  };
}

/** Some attempts are free; after them, each one that is let through makes the next wait, twice as long every time. */
function backoff(
  limiter: LimiterFactory,
  name: string,
  { free, firstWaitS, longestWaitS }: { free: number; firstWaitS: number; longestWaitS: number },
) {
  const counts = limiter(name, { count: free, windowS: WINDOW_S });
  const waits = limiter(`${name}-wait`, { count: 1, windowS: firstWaitS });
  const slow = async (key: string) => {
    const over = ((await counts.get(key))?.consumedPoints ?? 0) - free;
    const waitS = Math.min(longestWaitS, firstWaitS * 2 ** Math.max(0, Math.min(over - 1, 20)));
    await consume(waits, key, waitS);
  };
  return {
    /** @returns whether it was the first one within the window */
    async attempt(key: string): Promise<boolean> {
      const { isFree, count } = await this.count(key);
      if (!isFree) await slow(key);
      return count === 1;
    },
    async isFree(key: string): Promise<boolean> {
      return (await this.count(key)).isFree;
    },
    async count(key: string): Promise<{ isFree: boolean; count: number }> {
      try {
        return { isFree: true, count: (await counts.consume(key)).consumedPoints };
      } catch (reached) {
        if (!(reached instanceof RateLimiterRes)) throw reached;
        return { isFree: false, count: reached.consumedPoints };
      }
    },
    slow,
    async forget(key: string): Promise<void> {
      await Promise.all([counts.delete(key), waits.delete(key)]);
    },
    async takeBack(key: string): Promise<void> {
      await counts.reward(key);
    },
  };
}

async function consume(limits: RateLimiterAbstract, key: string, durationS?: number): Promise<void> {
  try {
    await limits.consume(key, 1, durationS === undefined ? {} : { customDuration: durationS });
  } catch (reached) {
    if (reached instanceof RateLimiterRes) throw rateLimited(reached.msBeforeNext);
    throw reached;
  }
}

async function hasRoom(limits: RateLimiterAbstract, key: string): Promise<boolean> {
  return limits.consume(key).then(
    () => true,
    (reached: unknown) => {
      if (reached instanceof RateLimiterRes) return false;
      throw reached;
    },
  );
}

import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { rateLimited } from '#server/lib/errors';
import { limitNetworks } from '#server/lib/network-limits';
import { widerNetworks } from '#server/lib/networks';
import type { LimiterFactory } from '#server/lib/rate-limits';

/**
 * Slows guessing down without letting a stranger lock a customer out. See docs/decisions/2026-11-26-own-slow-lane.md.
 */
export interface SignInLimits {
  /**
   * Counts an attempt as failed before its password is checked, so that simultaneous attempts count, too.
   * @param address as `countedAddress` writes it, here and below
   * @param isKnown whether this account has signed in from this address before
   * @throws AppError rate-limited with the time to wait
   */
  attempt(email: string, address: string, isKnown: boolean): Promise<void>;
  /** Takes an attempt back after a right password. */
  succeeded(email: string, address: string): Promise<void>;
  /** @throws AppError rate-limited */
  register(address: string): Promise<void>;
  /**
   * Counts a second factor's code as wrong before it is checked. Only a person who knows the password gets that far.
   * @throws AppError rate-limited
   */
  code(userId: string): Promise<void>;
  /** Takes an attempt back after a right code. */
  codeSucceeded(userId: string): Promise<void>;
  /**
   * Counts a recovery code, right or wrong: it is too long to guess, so wrong ones from elsewhere block nobody.
   * @throws AppError rate-limited
   */
  recoveryCode(userId: string, address: string): Promise<void>;
  /**
   * Counts the steps of sign-ins at an identity provider.
   * @throws AppError rate-limited
   */
  federate(address: string): Promise<void>;
  /**
   * Counts requests for a link to a new password by their origin. Requests by others for the same account, which may
   * not exist, block nobody.
   * @throws AppError rate-limited
   */
  recover(email: string, address: string): Promise<void>;
}

const WINDOW_S = 15 * 60;
/** How long a network waits for its next attempt at an account that others are guessing at. */
const SEAT_S = 30;
/** Wider networks around an address include neighbours that may guess, too, so their limits grow little. */
const LANE_WIDER = [2, 4] as const;

export function createSignInLimits(limiter: LimiterFactory): SignInLimits {
  const perPair = backoff(limiter, 'sign-in-pair', { free: 5, firstWaitS: 30, longestWaitS: 300 });
  const perAddress = limitNetworks(limiter, 'sign-in-address', { count: 50, windowS: WINDOW_S });
  const perAccount = backoff(limiter, 'sign-in-account', { free: 10, firstWaitS: 5, longestWaitS: 60 });
  /** Admits at once a network that has not tried this account yet while others attack it. */
  const newcomers = limiter('sign-in-newcomers', { count: 20, windowS: 60 });
  const firstOfNetwork = limiter('sign-in-network', { count: 1, windowS: WINDOW_S });
  const seats = limiter('sign-in-seat', { count: 1, windowS: WINDOW_S });
  const lane = limitNetworks(limiter, 'sign-in-lane', { count: 3, windowS: WINDOW_S }, LANE_WIDER);
  /** Three of a million codes are valid at a time: at this pace a guess succeeds after ten months. */
  const perCode = limiter('sign-in-code', { count: 10, windowS: WINDOW_S });
  const perRecoveryCode = limitNetworks(limiter, 'recovery-code', { count: 20, windowS: WINDOW_S });
  const perFederation = limitNetworks(limiter, 'federation-address', { count: 120, windowS: WINDOW_S });
  const perRecovered = limitNetworks(limiter, 'recover-account', { count: 5, windowS: 3600 });
  const perRecovering = limitNetworks(limiter, 'recover-address', { count: 20, windowS: 3600 });
  const perRegistration = limitNetworks(limiter, 'register-address', { count: 30, windowS: 3600 });

  /**
   * Admits an attempt while others guess at its account. A network that has waited for its seat is admitted a few
   * times, whatever the others do.
   */
  async function passOthers(email: string, address: string): Promise<void> {
    const network = widerNetworks(address).at(-1) ?? address;
    if ((await hasRoom(firstOfNetwork, `${network} ${email}`)) && (await hasRoom(newcomers, email))) return;
    const waitMs = await waitForSeat(`${address} ${email}`);
    if (waitMs > 0) throw rateLimited(waitMs);
    // A used-up lane belongs to a guesser or a guesser's neighbour: those share one lane.
    await lane.take(address, email).catch(() => perAccount.slow(email));
  }

  /** Takes a seat, or releases one that was waited for. @returns the time still to wait, in milliseconds */
  async function waitForSeat(key: string): Promise<number> {
    const taken = await seats.get(key);
    const leftMs = taken ? taken.msBeforeNext - (WINDOW_S - SEAT_S) * 1000 : SEAT_S * 1000;
    if (!taken) await seats.set(key, 1, WINDOW_S);
    if (leftMs > 0) return leftMs;
    // Only one of several simultaneous attempts has waited.
    return (await seats.delete(key)) ? 0 : SEAT_S * 1000;
  }

  return {
    async attempt(email, address, isKnown) {
      const pair = `${address} ${email}`;
      await perAddress.take(address);
      await perPair.attempt(pair);
      if (isKnown || (await perAccount.isFree(email))) return;
      try {
        await passOthers(email, address);
      } catch (refusal) {
        await perAddress.giveBack(address);
        await perPair.takeBack(pair);
        throw refusal;
      }
    },
    async succeeded(email, address) {
      await perAddress.giveBack(address);
      await perPair.forget(`${address} ${email}`);
      await perAccount.takeBack(email);
    },
    register: (address) => perRegistration.take(address),
    async code(userId) {
      await consume(perCode, userId);
    },
    async codeSucceeded(userId) {
      await perCode.reward(userId);
    },
    recoveryCode: (userId, address) => perRecoveryCode.take(address, userId),
    federate: (address) => perFederation.take(address),
    async recover(email, address) {
      await perRecovering.take(address);
      await perRecovered.take(address, email);
    },
  };
}

/** Some attempts are free; after them, each admitted one doubles the wait for the next. */
function backoff(
  limiter: LimiterFactory,
  name: string,
  { free, firstWaitS, longestWaitS }: { free: number; firstWaitS: number; longestWaitS: number },
) {
  const counts = limiter(name, { count: free, windowS: WINDOW_S });
  const waits = limiter(`${name}-wait`, { count: 1, windowS: firstWaitS });
  const isFree = (key: string) => hasRoom(counts, key);
  const slow = async (key: string) => {
    const over = ((await counts.get(key))?.consumedPoints ?? 0) - free;
    const waitS = Math.min(longestWaitS, firstWaitS * 2 ** Math.max(0, Math.min(over - 1, 20)));
    await consume(waits, key, waitS);
  };
  return {
    async attempt(key: string): Promise<void> {
      if (!(await isFree(key))) await slow(key);
    },
    isFree,
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

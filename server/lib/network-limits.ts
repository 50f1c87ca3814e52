import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { widerNetworks } from './networks.ts';
import { type LimiterFactory, take } from './rate-limits.ts';

/** Factors by which the narrower and the wider surrounding network may exceed one address. */
const WIDER = [4, 16] as const;

/** Counts requests per address and per surrounding network: a rented /48 has 65,536 counted addresses. */
export interface NetworkLimits {
  /**
   * @param address as written by `countedAddress`
   * @param about a separate count for each address and subject, such as an account
   * @throws AppError rate-limited with the time to wait; then it is not counted anywhere
   */
  take(address: string, about?: string): Promise<void>;
  /** Undoes a `take`. */
  giveBack(address: string, about?: string): Promise<void>;
}

/** @param wider factors for the two wider networks */
export function limitNetworks(
  limiter: LimiterFactory,
  name: string,
  { count, windowS }: { count: number; windowS: number },
  wider: readonly [number, number] = WIDER,
): NetworkLimits {
  const narrow = limiter(name, { count, windowS });
  const around = wider.map((times, n) =>
    limiter(`${name}-wider-${n + 1}`, { count: count * times, windowS }),
  );
  const countersOf = (address: string, about: string): [RateLimiterAbstract, string][] => {
    const networks = [address, ...widerNetworks(address)];
    return [narrow, ...around].flatMap((counter, n) => {
      const network = networks[n];
      return network === undefined ? [] : [[counter, about === '' ? network : `${network} ${about}`]];
    });
  };
  return {
    async take(address, about = '') {
      const counted: [RateLimiterAbstract, string][] = [];
      try {
        for (const [counter, key] of countersOf(address, about)) {
          // A counter that refuses has counted, too.
          counted.push([counter, key]);
          await take(counter, key);
        }
      } catch (refusal) {
        for (const [counter, key] of counted) await counter.reward(key);
        throw refusal;
      }
    },
    async giveBack(address, about = '') {
      for (const [counter, key] of countersOf(address, about)) await counter.reward(key);
    },
  };
}

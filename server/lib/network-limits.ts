import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { widerNetworks } from './networks.ts';
import { type LimiterFactory, take } from './rate-limits.ts';

/** How much more than one address the networks around it may do together, from the narrower to the wider one. */
const WIDER = [4, 16] as const;

/** Counts what comes from an address, and from the wider networks around it: whoever rents a /48 has 65,536 addresses. */
export interface NetworkLimits {
  /**
   * @param address as `countedAddress` writes it
   * @param about what is counted by itself for each address, such as an account
   * @throws AppError rate-limited with the time to wait; then it is not counted anywhere
   */
  take(address: string, about?: string): Promise<void>;
  /** Takes it back. */
  giveBack(address: string, about?: string): Promise<void>;
}

/** @param wider how many times more the two wider networks may */
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
          // One that refuses has counted it, too.
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

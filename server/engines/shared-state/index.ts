import type { Config } from '#server/settings/config';
import type { Logger } from '#server/telemetry/logger';
import type { SharedState } from './contract.ts';
import { MemoryState } from './memory.ts';

/**
 * The shared state that the settings name, or the state of this process alone.
 * @param installation distinguishes installations that share a server
 * @throws StartError when the server cannot be used: away, wrong password, too old
 */
export async function openSharedState(
  { redisUrl }: Pick<Config, 'redisUrl'>,
  around: { installation: string; logger: Pick<Logger, 'info' | 'warn'> },
): Promise<SharedState> {
  if (redisUrl === null) return new MemoryState();
  const { openRedisState } = await import('./redis.ts');
  return openRedisState(redisUrl, around);
}

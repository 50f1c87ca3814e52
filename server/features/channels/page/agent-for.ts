import { notFound } from '#server/lib/errors';
import type { Principal } from '#server/lib/principal';

/**
 * The agent that is asked for; for a visitor the one that their visit is with.
 * @throws AppError not-found when a visitor asks for another one
 */
export function agentFor(principal: Principal, asked?: string): string | undefined {
  if (principal.kind !== 'visitor') return asked;
  if (asked !== undefined && asked !== principal.agentId) throw notFound('agent');
  return principal.agentId;
}

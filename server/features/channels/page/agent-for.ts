import { notFound } from '#server/lib/errors';
import type { Principal } from '#server/lib/principal';

/**
 * The requested agent; for a visitor the one of their visit.
 * @throws AppError not-found when a visitor requests another one
 */
export function agentFor(principal: Principal, asked?: string): string | undefined {
  if (principal.kind !== 'visitor') return asked;
  if (asked !== undefined && asked !== principal.agentId) throw notFound('agent');
  return principal.agentId;
}

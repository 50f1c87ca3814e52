import type { StartConversation } from '#shared/realtime';

/** Whom a call is with. */
export type CallTarget =
  | { kind: 'simulator' }
  | { kind: 'agent'; agentId: string; agentInfo: NonNullable<StartConversation['agentInfo']> };

/** How the events of a call name whom it is with. */
export function addressee(
  target: CallTarget,
): Pick<StartConversation, 'isCallSimulator' | 'agentId' | 'agentInfo'> {
  if (target.kind === 'simulator') return { isCallSimulator: true };
  const { agentId, agentInfo } = target;
  return { isCallSimulator: false, agentId, agentInfo };
}

import type { StartConversation, UserMessage } from '#shared/realtime';

/** Whom a call is with. */
export type CallTarget =
  | { kind: 'simulator' }
  | { kind: 'agent'; agentId: string; agentInfo: NonNullable<StartConversation['agentInfo']> };

type Named = 'isCallSimulator' | 'agentId' | 'agentInfo';

/** How a call is begun: with all that the specification asks for of an agent. */
export function addresseeOfCall(target: CallTarget): Pick<StartConversation, Named> {
  if (target.kind === 'simulator') return { isCallSimulator: true };
  const { agentId, agentInfo } = target;
  return { isCallSimulator: false, agentId, agentInfo };
}

/** How a message names whom it is for: what the screen shows, not the company's 200,000 characters each time. */
export function addresseeOfMessage(target: CallTarget): Pick<UserMessage, Named> {
  if (target.kind === 'simulator') return { isCallSimulator: true };
  const { name, company } = target.agentInfo;
  return { isCallSimulator: false, agentId: target.agentId, agentInfo: { name, company } };
}

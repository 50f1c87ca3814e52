import type { StartConversation, UserMessage } from '#shared/realtime';

/** The agent of a call. */
export type CallTarget =
  | { kind: 'simulator' }
  | { kind: 'agent'; agentId: string; agentInfo: NonNullable<StartConversation['agentInfo']> };

type Named = 'isCallSimulator' | 'agentId' | 'agentInfo';

/** The start of a call, with all fields of an agent that the specification requires. */
export function addresseeOfCall(target: CallTarget): Pick<StartConversation, Named> {
  if (target.kind === 'simulator') return { isCallSimulator: true };
  const { agentId, agentInfo } = target;
  return { isCallSimulator: false, agentId, agentInfo };
}

/** The agent in a message: only what the screen shows, not the company's 200,000 characters each time. */
export function addresseeOfMessage(target: CallTarget): Pick<UserMessage, Named> {
  if (target.kind === 'simulator') return { isCallSimulator: true };
  const { name, company } = target.agentInfo;
  return { isCallSimulator: false, agentId: target.agentId, agentInfo: { name, company } };
}

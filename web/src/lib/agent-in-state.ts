import { type Agent, type AgentInState, agentInStateSchema } from '#shared/agents';

/** Navigation state of an agent's call and history pages. */
interface AgentState {
  agent: AgentInState;
}

/** Navigation state for `/calls/{agentName}` and `/history/{agentName}`. */
export function agentState(agent: AgentInState | Agent): AgentState {
  return { agent: agentInStateSchema.parse(agent) };
}

/** The agent in navigation state; null if the page was opened in another way. */
export function agentInState(state: unknown): AgentInState | null {
  if (typeof state !== 'object' || state === null || !('agent' in state)) return null;
  const agent = agentInStateSchema.safeParse(state.agent);
  return agent.success ? agent.data : null;
}

/** Address of an agent's page: its name is for people, the agent itself is in navigation state. */
export function agentPath(page: 'calls' | 'history', name: string): string {
  // Even encoded, browsers treat "." and ".." as folders.
  return `/${page}/${/^\.{1,2}$/.test(name) ? 'agent' : encodeURIComponent(name)}`;
}

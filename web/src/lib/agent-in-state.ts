import { type Agent, type AgentInState, agentInStateSchema } from '#shared/agents';

/** What navigation hands to the pages of an agent's call and history. */
interface AgentState {
  agent: AgentInState;
}

/** Navigation state for `/calls/{agentName}` and `/history/{agentName}`. */
export function agentState(agent: AgentInState | Agent): AgentState {
  return { agent: agentInStateSchema.parse(agent) };
}

/** The agent that navigation handed over; null when a page was opened in another way. */
export function agentInState(state: unknown): AgentInState | null {
  if (typeof state !== 'object' || state === null || !('agent' in state)) return null;
  const agent = agentInStateSchema.safeParse(state.agent);
  return agent.success ? agent.data : null;
}

/** Address of an agent's page: its name is for people to read, the agent itself comes in navigation state. */
export function agentPath(page: 'calls' | 'history', name: string): string {
  // Even encoded, "." and ".." mean folders to a browser.
  return `/${page}/${/^\.{1,2}$/.test(name) ? 'agent' : encodeURIComponent(name)}`;
}

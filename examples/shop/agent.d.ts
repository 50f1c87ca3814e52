import type { ActionDraft } from '#shared/actions';
import type { AgentDraft } from '#shared/agents';

export const exampleAgent: AgentDraft;
export function exampleActions(address: string, key: string): ActionDraft[];

import { z } from 'zod';
import { type AgentDraft, agentDraftSchema, MAX_PROMPTS, promptSchema } from '#shared/agents';

/** The form: the same rules as the server's, with each prompt a row of its own. */
export const agentFormSchema = agentDraftSchema.omit({ prompts: true }).extend({
  prompts: z
    .array(z.object({ text: promptSchema }))
    .refine((rows) => rows.filter(({ text }) => text).length <= MAX_PROMPTS, 'Use at most 50 prompts.'),
});
export type AgentFormValues = z.infer<typeof agentFormSchema>;

export const emptyAgent: AgentFormValues = {
  name: '',
  companyName: '',
  personality: '',
  companyInfo: '',
  prompts: [{ text: '' }],
};

/** At least one prompt row always stands there to be filled. */
export function toFormValues(agent: AgentDraft): AgentFormValues {
  const { name, companyName, personality, companyInfo, prompts, masks } = agent;
  const rows = prompts.length > 0 ? prompts.map((text) => ({ text })) : emptyAgent.prompts;
  return { name, companyName, personality, companyInfo, prompts: rows, ...(masks && { masks }) };
}

/** What is sent: empty prompts are dropped. */
export function toDraft(values: AgentFormValues): AgentDraft {
  return { ...values, prompts: values.prompts.map(({ text }) => text).filter(Boolean) };
}

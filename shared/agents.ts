import { z } from 'zod';

/** What the page shows when it knows no company yet. */
export const DEFAULT_AGENT_LABEL = 'Customer Support';

/** The demo agent as `conversation_started` and `ai_response` name it. */
export const demoAgentSchema = z.object({ name: z.string(), company: z.string() });
export type DemoAgent = z.infer<typeof demoAgentSchema>;

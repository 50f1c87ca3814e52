import { z } from 'zod';
import type { AgentFormValues } from './agent-form-values.ts';

/** Anything that was typed, complete or not. */
const keptSchema = z.object({
  name: z.string(),
  companyName: z.string(),
  personality: z.string(),
  companyInfo: z.string(),
  prompts: z.array(z.object({ text: z.string() })).min(1),
});

/** Keeps a form whose session ran out, in this browser tab, until the same person is back. */
export function keepDraft(key: string, values: AgentFormValues): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(values));
  } catch {
    // Storage is forbidden or full: what was typed goes with the page.
  }
}

/** The form that was kept under this key, once; null when there is none. */
export function takeDraft(key: string): AgentFormValues | null {
  try {
    const kept = keptSchema.safeParse(JSON.parse(sessionStorage.getItem(key) ?? 'null'));
    sessionStorage.removeItem(key);
    return kept.success ? kept.data : null;
  } catch {
    return null;
  }
}

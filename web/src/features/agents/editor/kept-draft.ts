import { z } from 'zod';
import { sayingsSchema } from '#shared/sayings';
import { keepSealed, readSealed } from '#web/lib/sealed-storage';
import type { AgentFormValues } from './agent-form-values.ts';

/** Anything that was typed, complete or not. */
const keptSchema = z.object({
  name: z.string(),
  companyName: z.string(),
  personality: z.string(),
  companyInfo: z.string(),
  prompts: z.array(z.object({ text: z.string() })).min(1),
  greeting: z.string(),
  goodbye: z.string(),
  answers: z.array(z.object({ about: z.string(), say: z.string() })),
  neverSay: z.string(),
  handOverWhen: z.string(),
  decided: z.array(sayingsSchema.keyof()),
});

/** Keeps a form whose session ran out, in this browser tab, until the same person is back. */
export function keepDraft(key: string, values: AgentFormValues): void {
  keepSealed(key, JSON.stringify(values));
}

/** The form that was kept under this key, once; null when there is none. */
export function takeDraft(key: string): AgentFormValues | null {
  const kept = keptSchema.safeParse(JSON.parse(readSealed(key) ?? 'null'));
  keepSealed(key, null);
  return kept.success ? kept.data : null;
}

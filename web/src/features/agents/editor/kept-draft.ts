import { z } from 'zod';
import { sayingsSchema } from '#shared/sayings';
import { keepSealed, readSealed } from '#web/lib/sealed-storage';
import type { AgentFormValues } from './agent-form-values.ts';

/** The typed values, complete or not. */
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

/** Keeps the form of an expired session in this browser tab until the same person is back. */
export function keepDraft(key: string, values: AgentFormValues): void {
  keepSealed(key, JSON.stringify(values));
}

/** Returns the form kept under this key once; null without one. */
export function takeDraft(key: string): AgentFormValues | null {
  const kept = keptSchema.safeParse(JSON.parse(readSealed(key) ?? 'null'));
  keepSealed(key, null);
  return kept.success ? kept.data : null;
}

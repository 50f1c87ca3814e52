import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { AgentProfile } from '#server/dialogue/contract';

const attempts = z.array(
  z.object({
    id: z.number(),
    kind: z.string(),
    swap: z.boolean().optional(),
    company: z.string(),
    agent: z.string(),
    info: z.string(),
    said: z.array(z.string()),
    message: z.string(),
    bad: z.array(z.string()),
    good: z.array(z.string()),
  }),
);
export type Attempt = z.infer<typeof attempts>[number];

/** Attempts at having a model say what is not so, written by somebody who knew neither the check nor a model. */
export async function readAttempts(): Promise<Attempt[]> {
  const file = new URL('evaluate/made-up.json', import.meta.url);
  return attempts.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** The check was made with those of odd numbers; the others were held out. */
export const isForTuning = ({ id }: Attempt): boolean => id % 2 === 1;

export const agentOf = ({ id, agent, company, info }: Attempt): AgentProfile => ({
  id: `made-up-${id}`,
  revision: '1',
  name: agent,
  companyName: company,
  personality: 'Friendly and brief.',
  companyInfo: info,
  prompts: [],
  language: 'en',
});

import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { AgentProfile } from '#server/dialogue/contract';

const businessSchema = z.object({ company: z.string(), agent: z.string(), info: z.string() });
const attemptSchema = z.object({
  /** The number of its business. */
  business: z.number(),
  kind: z.enum(['plain', 'leading', 'gap', 'false-premise', 'deed', 'injection', 'figure-swap']),
  swap: z.boolean().optional(),
  said: z.array(z.string()),
  message: z.string(),
  bad: z.array(z.string()),
  good: z.array(z.string()),
});
const setSchema = z.object({ businesses: z.array(businessSchema), attempts: z.array(attemptSchema) });

/** A customer's attempt to make an agent say something false, with made-up and true sentences. */
export interface Attempt
  extends z.infer<typeof businessSchema>,
    Omit<z.infer<typeof attemptSchema>, 'business'> {
  id: string;
}

/** Seven writers' sets (docs/dialogue.md): none of them knew the check. */
const sets = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'] as const;
type AttemptSet = (typeof sets)[number];

/** Held out from tuning: every other attempt of the first set, and the whole seventh. */
export function isHeldOutAttempt(id: string): boolean {
  const [set, number] = id.split('-');
  return set === 'seventh' || (set === 'first' && Number(number) % 2 === 0);
}

/**
 * Attempts for tuning, or the held-out ones.
 * @param among only those of these sets
 */
export async function readAttempts(
  split: 'dev' | 'held-out' | 'all',
  among: readonly AttemptSet[] = sets,
): Promise<Attempt[]> {
  const read = among.map(async (set) => {
    const file = new URL(`evaluate/made-up/${set}.json`, import.meta.url);
    const { businesses, attempts } = setSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return attempts.flatMap(({ business, ...attempt }, at) => {
      const of = businesses[business];
      if (!of) throw new Error(`${set} ${at}: there is no business ${business}.`);
      const id = `${set}-${at + 1}`;
      if (split !== 'all' && isHeldOutAttempt(id) !== (split === 'held-out')) return [];
      return { ...of, ...attempt, id };
    });
  });
  return (await Promise.all(read)).flat();
}

export const agentOf = ({
  id,
  agent,
  company,
  info,
}: Pick<Attempt, 'id' | 'agent' | 'company' | 'info'>): AgentProfile => ({
  id: `made-up-${id}`,
  revision: '1',
  name: agent,
  companyName: company,
  personality: 'Friendly and brief.',
  companyInfo: info,
  prompts: [],
  language: 'en',
});

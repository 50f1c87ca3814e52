import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Outcome } from '#shared/conversations';
import type { Nature, Round } from './case.ts';

const natures: Record<string, Nature> = {
  direct: 'answerable',
  paraphrase: 'answerable',
  reasoning: 'answerable',
  abstain: 'unanswerable',
  unanswerable: 'unanswerable',
  vague: 'vague',
};

const agentSchema = z.object({
  name: z.string(),
  companyName: z.string(),
  personality: z.string(),
  companyInfo: z.string(),
  prompts: z.array(z.string()).default([]),
});
const questionsSchema = z.array(
  z.object({
    q: z.string(),
    kind: z.string(),
    ideal: z.string(),
    /** A right reply matches the first and not the second, ignoring case; absent if it must not answer. */
    accept_regex: z.string().optional(),
    reject_regex: z.string().optional(),
  }),
);
const turnsSchema = z.array(z.object({ user: z.string(), good: z.string() }));
const strangersSchema = z.array(
  z.object({
    agent: agentSchema,
    questions: questionsSchema,
    dialogues: z.array(z.object({ turns: turnsSchema })).default([]),
  }),
);
const callersSchema = z
  .object({
    businesses: z.array(
      z.object({ agent: agentSchema, questions: questionsSchema, dialogue: turnsSchema.default([]) }),
    ),
  })
  .transform(({ businesses }) =>
    businesses.map(({ dialogue, ...each }) => ({ ...each, dialogues: [{ turns: dialogue }] })),
  );
const schema = z.union([strangersSchema, callersSchema]);

/** Real companies' documents; every question in its own conversation. */
export function strangersRounds(file: string): Round[] {
  const title = basename(file, '.json');
  return schema.parse(JSON.parse(readFileSync(file, 'utf8'))).map(({ agent, questions, dialogues }, n) => ({
    title,
    half: /dev/i.test(title) ? 'dev' : 'held-out',
    name: agent.companyName,
    agent: { ...agent, language: 'en', id: `${title}-${n}`, revision: '1' },
    together: false,
    dialogues: dialogues.map(({ turns }) => turns),
    cases: questions.map((question) => {
      const nature = natures[question.kind] ?? 'answerable';
      const accept = question.accept_regex === undefined ? null : new RegExp(question.accept_regex, 'i');
      const reject = question.reject_regex === undefined ? null : new RegExp(question.reject_regex, 'i');
      return {
        kind: question.kind,
        nature,
        question: question.q,
        before: [],
        ideal: question.ideal,
        judge({ text, outcome }) {
          const rejected = reject?.test(text) ?? false;
          return {
            right: (accept ? accept.test(text) : isLeftOpen(nature, outcome)) && !rejected,
            rejected,
            ...(rejected ? { why: 'says what it must not' } : {}),
          };
        },
      };
    }),
  }));
}

/** An unanswerable question gets no answer, and an ambiguous one a question back. */
const isLeftOpen = (nature: Nature, outcome: Outcome) =>
  nature === 'vague' ? outcome === 'asked-back' : outcome !== 'answered';

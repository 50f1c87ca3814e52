import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Nature, Round } from './case.ts';

const natures: Record<string, Nature> = {
  direct: 'answerable',
  paraphrase: 'answerable',
  reasoning: 'answerable',
  abstain: 'unanswerable',
  vague: 'vague',
};

const schema = z.array(
  z.object({
    agent: z.object({
      name: z.string(),
      companyName: z.string(),
      personality: z.string(),
      companyInfo: z.string(),
      prompts: z.array(z.string()).default([]),
    }),
    questions: z.array(
      z.object({
        q: z.string(),
        kind: z.string(),
        ideal: z.string(),
        /** A right reply matches the first and not the second, upper and lower case alike. */
        accept_regex: z.string(),
        reject_regex: z.string().optional(),
      }),
    ),
    dialogues: z
      .array(z.object({ turns: z.array(z.object({ user: z.string(), good: z.string() })) }))
      .default([]),
  }),
);

/** Documents of companies that nobody here wrote; every question in a conversation of its own. */
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
      const accept = new RegExp(question.accept_regex, 'i');
      const reject = question.reject_regex === undefined ? null : new RegExp(question.reject_regex, 'i');
      return {
        kind: question.kind,
        nature: natures[question.kind] ?? 'answerable',
        question: question.q,
        before: [],
        ideal: question.ideal,
        judge({ text }) {
          const rejected = reject?.test(text) ?? false;
          return {
            right: accept.test(text) && !rejected,
            rejected,
            ...(rejected ? { why: 'says what it must not' } : {}),
          };
        },
      };
    }),
  }));
}

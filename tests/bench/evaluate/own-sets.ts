import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { WholeReply } from '#server/dialogue/contract';
import { demoAgent } from '#server/features/agents/demo-agent';
import type { Case, Round } from './case.ts';

const questionSchema = z.object({
  q: z.string(),
  /** Pattern of a right answer. */
  a: z.string().optional(),
  /** The knowledge has no answer: the reply must decline. */
  decline: z.boolean().optional(),
  /** Declining is as right as answering. */
  alt: z.literal('decline').optional(),
  /** Has a meaning only after the previous question. */
  follow: z.boolean().optional(),
});
type Question = z.infer<typeof questionSchema>;

const ownSetSchema = z.object({
  name: z.string(),
  half: z.enum(['dev', 'held-out']),
  demo: z.boolean().optional(),
  companyName: z.string().optional(),
  personality: z.string().optional(),
  information: z.string().optional(),
  prompts: z.array(z.string()).optional(),
  questions: z.array(questionSchema),
});
const givenSetSchema = z.object({
  retail: z.array(questionSchema),
  abstain: z.array(z.object({ q: z.string() })),
  abstain_pattern: z.string(),
});

/** The wording of a decline, or of an honest doubt. */
const DECLINE =
  /don't have|do not have|don't know|not sure|no information|can't (?:find|see)|unable to|outside|only help|human|colleague|team member|can't help|cannot help|not able|not something|do you mean|is it about|perhaps|maybe/i;

/** Our own sets: each in one conversation, and each question alone. */
export function ownRounds(folder: string): Round[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const set = ownSetSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
      const agent = set.demo
        ? demoAgent
        : {
            id: file,
            revision: '1',
            name: 'Sigma',
            companyName: set.companyName ?? 'the company',
            language: 'en',
            personality: set.personality ?? 'Helpful',
            companyInfo: readFileSync(join(folder, set.information ?? ''), 'utf8'),
            prompts: set.prompts ?? [],
          };
      return rounds('Our own documents', set.name, set.half, agent, set.questions, DECLINE);
    });
}

/** A set of the form `{retail: [{q, a}], abstain: [{q}], abstain_pattern}` on the text of another file. */
export function givenRounds(file: string, information: string): Round[] {
  const set = givenSetSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const agent = {
    id: file,
    revision: '1',
    name: 'Sigma',
    companyName: 'the company',
    language: 'en',
    personality: 'Friendly and helpful',
    companyInfo: readFileSync(information, 'utf8'),
    prompts: [],
  };
  const questions = [...set.retail, ...set.abstain.map(({ q }) => ({ q, decline: true }))];
  const name = basename(file, '.json');
  return rounds(name, name, 'dev', agent, questions, new RegExp(set.abstain_pattern, 'i'));
}

function rounds(
  title: string,
  name: string,
  half: Round['half'],
  agent: Round['agent'],
  questions: readonly Question[],
  decline: RegExp,
): Round[] {
  return [true, false].map((together) => ({
    title: `${title}, ${half}, ${together ? 'in one conversation' : 'each alone'}`,
    half,
    name,
    agent,
    together,
    cases: questions
      .filter(({ follow }) => together || !follow)
      .map((question) => caseOf(question, agent.companyInfo, decline)),
    dialogues: [],
  }));
}

function caseOf(question: Question, information: string, decline: RegExp): Case {
  const { q, a, alt, follow } = question;
  const accept = a === undefined ? null : new RegExp(a, 'i');
  const declined = ({ outcome, text }: WholeReply) => outcome !== 'answered' && decline.test(text);
  return {
    kind: question.decline ? 'unanswerable' : alt ? 'either' : follow ? 'follow-up' : 'answerable',
    nature: question.decline ? 'unanswerable' : 'answerable',
    question: q,
    before: [],
    // Our sets have no right answers in words: the first matching line serves as one.
    ideal: (accept && information.split('\n').find((line) => accept.test(line))) ?? null,
    judge: (reply) => ({
      right: question.decline
        ? declined(reply)
        : (accept?.test(reply.text) ?? false) || (alt === 'decline' && declined(reply)),
      rejected: false,
    }),
  };
}

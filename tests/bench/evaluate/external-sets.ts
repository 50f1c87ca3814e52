import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { WholeReply } from '#server/dialogue/contract';
import type { Case, Nature, Round, Verdict } from './case.ts';

const natures: Record<string, Nature> = {
  answerable: 'answerable',
  partial: 'answerable',
  spoken: 'answerable',
  unanswerable: 'unanswerable',
  outside: 'unanswerable',
  underspecified: 'vague',
};

const taskSchema = z.looseObject({
  id: z.string(),
  agent: z.string(),
  kind: z.string(),
  question: z.string(),
  /** Earlier messages in the authors' version. */
  history: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string() })).optional(),
  /** A first sentence that names the question's topic. */
  context: z.string().optional(),
  answer: z.string().optional(),
  snippet: z.object({ question: z.string(), answer: z.string() }).optional(),
  entity: z.string().optional(),
});
type Task = z.infer<typeof taskSchema>;

const setSchema = z.object({
  agents: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      companyName: z.string(),
      personality: z.string(),
      companyInfo: z.string(),
      entities: z.array(z.string()).default([]),
    }),
  ),
  tasks: z.array(taskSchema),
});

type Judge = (task: unknown, reply: Pick<WholeReply, 'text' | 'citations'>) => unknown;
const measuresSchema = z.object({ judge: z.custom<Judge>((value) => typeof value === 'function') });
const verdictSchema = z.looseObject({ ok: z.boolean(), why: z.string() });

interface ExternalOptions {
  /** Number of a talk's earlier user turns repeated before the question. */
  earlier: number;
  /** Uses the authors' whole talk, both sides, instead. */
  given: boolean;
}

/** Reads `external-*.json` of a folder and judges by its `external-measures.cjs`. */
export function externalRounds(folder: string, options: ExternalOptions): Round[] {
  const path = join(resolve(folder), 'external-measures.cjs');
  const { judge } = measuresSchema.parse(createRequire(import.meta.url)(path));
  return readdirSync(folder)
    .filter((file) => /^external-.*\.json$/.test(file))
    .flatMap((file) => {
      const { agents, tasks } = setSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
      const title = file.replace('.json', '');
      return agents.map(({ key, entities, ...agent }) => ({
        title,
        half: 'dev' as const,
        name: key,
        agent: { ...agent, language: 'en', id: `${title}-${key}`, revision: '1', prompts: [] },
        together: false,
        dialogues: [],
        cases: tasks
          .filter((task) => task.agent === key)
          .map((task) => caseOf(task, entities, options, judge)),
      }));
    });
}

function caseOf(
  task: Task,
  entities: readonly string[],
  { earlier, given }: ExternalOptions,
  judge: Judge,
): Case {
  const history = task.history ?? [];
  const said = history.filter(({ role }) => role === 'user').map(({ text }) => text);
  const judged = { ...task, others: entities.filter((entity) => entity !== task.entity) };
  return {
    kind: task.kind,
    nature: natures[task.kind] ?? 'answerable',
    question: task.question,
    before: task.context === undefined ? said.slice(Math.max(0, said.length - earlier)) : [task.context],
    ...(given && history.length > 0
      ? { given: history.slice(-40).map(({ role, text }) => ({ role, content: text })) }
      : {}),
    ideal: task.answer ?? task.snippet?.answer ?? null,
    judge({ text, citations, outcome }): Verdict {
      const { ok, why } = verdictSchema.parse(judge(judged, { text, citations }));
      const rejected = outcome === 'answered' && /^(?:of |yes for no)/.test(why);
      return { right: ok, rejected, why };
    },
  };
}

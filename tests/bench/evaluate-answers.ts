// Prints every question, the answer and the verdict, then totals.
//   npm run evaluate                                  our own sets
//   npm run evaluate -- set.json --info policy.md     a set of the form {retail:[{q,a}], abstain:[{q}], abstain_pattern}
// Options: --folder (other own sets), --half dev|held-out, --totals (no questions), --wrong (wrong ones only), --trace, --words (without the encoder)
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readConfig } from '#server/config';
import type { AgentProfile, DialogueMessage } from '#server/dialogue/contract';
import { createDialogue, type GroundedDialogue } from '#server/dialogue/respond';
import { createEmbedding } from '#server/engines/embedding/index';
import { createWeights } from '#server/engines/weights/index';
import { demoAgent } from '#server/features/agents/demo-agent';

const questionSchema = z.object({
  q: z.string(),
  /** Pattern of a right answer. */
  a: z.string().optional(),
  /** The knowledge does not hold it: must be declined. */
  decline: z.boolean().optional(),
  /** Declining is as right as answering. */
  alt: z.literal('decline').optional(),
  /** Only has a meaning after the question before. */
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

interface EvaluationSet {
  name: string;
  half: 'dev' | 'held-out';
  agent: AgentProfile;
  questions: Question[];
}

interface Tally {
  right: number;
  asked: number;
  declined: number;
  unanswerable: number;
  falselyDeclined: number;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    info: { type: 'string' },
    half: { type: 'string' },
    totals: { type: 'boolean', default: false },
    wrong: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    words: { type: 'boolean', default: false },
    set: { type: 'string' },
    folder: { type: 'string' },
  },
});

/** What a decline must sound like, whoever listens. */
let declinePattern =
  /don't have|do not have|don't know|not sure|no information|can't find|unable to|outside|only help|human|colleague|team member|can't help|cannot help|not able|not something/i;

const folder = options.folder ?? join(dirname(fileURLToPath(import.meta.url)), 'answers');

function ownSets(): EvaluationSet[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const set = ownSetSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
      return {
        name: set.name,
        half: set.half,
        questions: set.questions,
        agent: set.demo
          ? demoAgent
          : {
              id: file,
              revision: '1',
              name: 'Sigma',
              companyName: set.companyName ?? 'the company',
              personality: set.personality ?? 'Helpful',
              companyInfo: readFileSync(join(folder, set.information ?? ''), 'utf8'),
              prompts: set.prompts ?? [],
            },
      };
    });
}

function givenSet(file: string, info: string): EvaluationSet {
  const set = givenSetSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  declinePattern = new RegExp(set.abstain_pattern, 'i');
  return {
    name: basename(file),
    half: 'dev',
    questions: [...set.retail, ...set.abstain.map(({ q }) => ({ q, decline: true }))],
    agent: {
      id: file,
      revision: '1',
      name: 'Sigma',
      companyName: 'the company',
      personality: 'Friendly and helpful',
      companyInfo: readFileSync(info, 'utf8'),
      prompts: [],
    },
  };
}

const times: number[] = [];

async function ask(
  dialogue: GroundedDialogue,
  agent: AgentProfile,
  history: DialogueMessage[],
  text: string,
) {
  const start = performance.now();
  let first: number | null = null;
  for await (const event of dialogue.respond({ agent, history, text }, new AbortController().signal)) {
    first ??= performance.now() - start;
    if (event.type === 'reply') {
      times.push(first);
      return event;
    }
  }
  throw new Error('A turn ended without a reply.');
}

async function evaluate(dialogue: GroundedDialogue, set: EvaluationSet, inOrder: boolean): Promise<Tally> {
  const tally: Tally = { right: 0, asked: 0, declined: 0, unanswerable: 0, falselyDeclined: 0 };
  const history: DialogueMessage[] = [{ role: 'assistant', content: dialogue.greet(set.agent) }];
  for (const question of set.questions) {
    if (!inOrder && question.follow) continue;
    const reply = await ask(dialogue, set.agent, inOrder ? history : history.slice(0, 1), question.q);
    const declined = reply.outcome !== 'answered' && declinePattern.test(reply.text);
    const right = question.decline
      ? declined
      : (question.a !== undefined && new RegExp(question.a, 'i').test(reply.text)) ||
        (question.alt === 'decline' && declined);
    if (question.decline) {
      tally.unanswerable++;
      if (right) tally.declined++;
    } else {
      tally.asked++;
      if (right) tally.right++;
      else if (declined) tally.falselyDeclined++;
    }
    if (!options.totals && !(options.wrong && right)) {
      console.log(`${right ? 'right' : 'WRONG'} | ${question.q}\n        ${reply.outcome}: ${reply.text}`);
      if (options.trace) for (const line of dialogue.lastTrace()) console.log(`        (${line})`);
    }
    history.push({ role: 'user', content: question.q }, { role: 'assistant', content: reply.text });
  }
  return tally;
}

const percent = (part: number, whole: number) =>
  `${part}/${whole} (${Math.round((100 * part) / Math.max(1, whole))} %)`;
const told = (name: string, t: Tally) =>
  `${name}: right ${percent(t.right, t.asked)}, declined ${percent(t.declined, t.unanswerable)}, falsely declined ${percent(t.falselyDeclined, t.asked)}`;
const add = (a: Tally, b: Tally): Tally => ({
  right: a.right + b.right,
  asked: a.asked + b.asked,
  declined: a.declined + b.declined,
  unanswerable: a.unanswerable + b.unanswerable,
  falselyDeclined: a.falselyDeclined + b.falselyDeclined,
});

const weights = createWeights({ modelsDir: readConfig().modelsDir, attempts: 1 });
const embedding = options.words ? null : createEmbedding({ weights });
while (embedding && ['fetching', 'loading'].includes(embedding.status().state))
  await new Promise((resolve) => setTimeout(resolve, 50));
console.log(`Search by meaning: ${embedding ? embedding.status().state : 'off'}`);
const dialogue = createDialogue({ language: null, embedding });

const file = positionals[0];
if (file && !options.info) throw new Error('Give the company information of this set with --info.');
const sets = (file && options.info ? [givenSet(file, options.info)] : ownSets())
  .filter((set) => !options.half || set.half === options.half)
  .filter((set) => !options.set || set.name.toLowerCase().includes(options.set.toLowerCase()));
const lines: string[] = [];
const sums = new Map<string, Tally>();
for (const set of sets) {
  await dialogue.complete(set.agent);
  for (const inOrder of [true, false]) {
    const how = inOrder ? 'one conversation' : 'each alone';
    if (!options.totals) console.log(`\n## ${set.name} (${set.half}), ${how}`);
    const tally = await evaluate(dialogue, set, inOrder);
    lines.push(told(`${set.name} (${set.half}), ${how}`, tally));
    const key = `${set.half}, ${how}`;
    const sum = sums.get(key);
    sums.set(key, sum ? add(sum, tally) : tally);
  }
}
console.log(`\n${lines.join('\n')}\n`);
for (const [key, sum] of sums) console.log(told(`ALL ${key}`, sum));
times.sort((a, b) => a - b);
console.log(
  `First sentence: p50 ${times[Math.floor(times.length / 2)]?.toFixed(1)} ms, p95 ${times[Math.floor(times.length * 0.95)]?.toFixed(1)} ms`,
);
await dialogue.close();
await embedding?.close();
await weights.close();

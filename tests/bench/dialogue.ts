import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AgentProfile } from '#server/dialogue/contract';
import { openVectorFiles } from '#server/engines/reading/vector-files';
import { demoAgent } from '#server/features/agents/demo-agent';
import { businessText, demoQuestions, sectionsText, tableText } from './dialogue.texts.ts';
import { converse } from './evaluate/ask.ts';
import { type Brain, openBrain } from './evaluate/brain.ts';
import { figure, percentiles } from './figures.ts';
import { usage } from './usage.ts';

const CHARACTERS = 200_000;
const PASSAGES = 20_000;

/**
 * Measures reading and answering in this process: turns, indexing, the effect of one agent's indexing on another's
 * caller, memory.
 */
export async function benchDialogue(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sigma-bench-'));
  const brain = await openBrain({ cache: false, vectors: openVectorFiles(folder) });
  const questions = demoQuestions();
  await brain.dialogue.complete(demoAgent);
  await turns(brain, demoAgent, questions.slice(0, 8));
  figure('memory, the demo company read', await memory());
  figure(`a turn, ${questions.length} questions`, percentiles(await turns(brain, demoAgent, questions)));
  figure('the same, five calls at once', percentiles(await callsAtOnce(brain, questions)));

  const large = agentOf('large', businessText(CHARACTERS));
  await indexing(brain, large, `text of ${CHARACTERS} characters`, questions);
  figure('a turn on it', percentiles(await turns(brain, large, questions)));
  const edited = { ...large, revision: '2', companyInfo: `${large.companyInfo}\n\n# News\n\nWe moved.` };
  figure(
    'one paragraph added, indexed',
    `${(await seconds(() => brain.dialogue.complete(edited))).toFixed(1)} s`,
  );
  brain.dialogue.forget(large);
  brain.dialogue.forget(edited);

  const table = agentOf('table', tableText(CHARACTERS));
  await indexing(brain, table, `table of ${CHARACTERS} characters`, questions);
  figure('memory', await memory());
  brain.dialogue.forget(table);

  const huge = agentOf('huge', sectionsText(PASSAGES));
  await indexing(brain, huge, `${PASSAGES} sections`, questions);
  figure('a turn on it', percentiles(await turns(brain, huge, questions)));
  figure('memory', await memory());
  await brain.close();
  await rm(folder, { recursive: true });
}

/** Indexes an agent, asks another one meanwhile, and reports both times. */
async function indexing(brain: Brain, agent: AgentProfile, name: string, questions: readonly string[]) {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const asked: number[] = [];
  const before = await usage();
  let isDone = false;
  const done = seconds(() => brain.dialogue.complete(agent)).finally(() => {
    isDone = true;
  });
  for (let n = 0; !isDone; n++) {
    asked.push(...(await turns(brain, demoAgent, [questions[n % questions.length] ?? ''])));
    // A caller pauses before the next question, which also lets this loop be measured at rest.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const took = await done;
  loop.disable();
  const { cpuMs } = await usage();
  figure(
    `${name}: indexed`,
    `${took.toFixed(1)} s, ${((cpuMs - before.cpuMs) / 1_000).toFixed(1)} s of a core`,
  );
  figure('   longest gap of the event loop', `${(loop.max / 1e6).toFixed(0)} ms`);
  figure(`   another agent's turn meanwhile (${asked.length})`, percentiles(asked));
}

const agentOf = (id: string, companyInfo: string): AgentProfile => ({ ...demoAgent, id, companyInfo });

/** Time of each first sentence, in ms; each question in its own conversation. */
async function turns(brain: Brain, agent: AgentProfile, questions: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const question of questions) times.push((await converse(brain, agent).say(question)).ms);
  return times;
}

async function callsAtOnce(brain: Brain, questions: readonly string[]): Promise<number[]> {
  const times = await Promise.all(
    [0, 1, 2, 3, 4].map((call) =>
      turns(brain, demoAgent, [...questions.slice(call), ...questions.slice(0, call)]),
    ),
  );
  return times.flat();
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

const memory = async () => `${Math.round((await usage()).residentBytes / 1e6)} MB resident`;

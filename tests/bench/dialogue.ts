// Measures the grounded responder: indexing, time to the first sentence, stalls of the main thread.
//   node --conditions=source --import tsx tests/bench/dialogue.ts [information.md]
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readConfig } from '#server/config';
import { createDialogue } from '#server/dialogue/respond';
import { createEmbedding } from '#server/engines/embedding/index';
import { createWeights } from '#server/engines/weights/index';
import { demoAgent } from '#server/features/agents/demo-agent';

const file = process.argv[2];
const text = file ? readFileSync(file, 'utf8') : demoAgent.companyInfo;
const copies = file
  ? [text]
  : Array.from({ length: Math.floor(200_000 / text.length) }, (_, n) =>
      text.replace(/^# .*$/m, `# Branch ${n}`),
    );
const agent = { ...demoAgent, id: 'large', companyInfo: copies.join('\n\n').slice(0, 200_000) };
const questions = [
  'How long does standard delivery take?',
  'Can I return gift cards?',
  'what does brightcare cover',
  'How much is shipping to Canada?',
  'And to Mexico?',
  'When is the Denver store open on Saturdays?',
  'Who won the 1998 football world cup?',
  'My kettle is broken, what now?',
];

const weights = createWeights({ modelsDir: readConfig().modelsDir, attempts: 1 });
const embedding = createEmbedding({ weights });
while (['fetching', 'loading'].includes(embedding.status().state))
  await new Promise((r) => setTimeout(r, 20));
const dialogue = createDialogue({ language: null, embedding });
await dialogue.prepare(demoAgent);
const loop = monitorEventLoopDelay({ resolution: 1 });
const ms = (ns: number) => (ns / 1e6).toFixed(1);
const percentile = (list: number[], p: number) =>
  [...list].sort((a, b) => a - b)[Math.floor(list.length * p)]?.toFixed(1);

async function turn(profile: typeof agent, text: string): Promise<number> {
  const start = performance.now();
  let first = 0;
  for await (const event of dialogue.respond(
    { agent: profile, history: [], text },
    new AbortController().signal,
  ))
    if (first === 0 && event.type === 'sentence') first = performance.now() - start;
  return first;
}

async function measure(name: string, work: () => Promise<number[]>) {
  loop.reset();
  loop.enable();
  const times = await work();
  loop.disable();
  console.log(
    `${name}: p50 ${percentile(times, 0.5)} ms, p95 ${percentile(times, 0.95)} ms; main thread p99 ${ms(loop.percentile(99))} ms, longest ${ms(loop.max)} ms`,
  );
}

await measure(`index ${agent.companyInfo.length} characters, words`, async () => {
  const start = performance.now();
  await dialogue.prepare(agent);
  return [performance.now() - start];
});
await measure('questions while vectors fill in', async () => {
  const times: number[] = [];
  for (const q of questions) times.push(await turn(agent, q));
  return times;
});
await measure('vectors of all units', async () => {
  const start = performance.now();
  await dialogue.complete(agent);
  return [performance.now() - start];
});
await dialogue.complete(demoAgent);
for (const [name, profile] of [
  ['demo company', demoAgent],
  ['200,000 characters', agent],
] as const) {
  for (const q of questions) await turn(profile, q);
  await measure(`${name}, one call`, async () => {
    const times: number[] = [];
    for (let round = 0; round < 5; round++) for (const q of questions) times.push(await turn(profile, q));
    return times;
  });
  await measure(`${name}, five calls at once`, async () => {
    const times: number[] = [];
    for (let round = 0; round < 5; round++)
      for (const q of questions)
        times.push(...(await Promise.all(Array.from({ length: 5 }, () => turn(profile, q)))));
    return times;
  });
}
console.log(`RSS ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`);
await dialogue.close();
await embedding.close();
await weights.close();

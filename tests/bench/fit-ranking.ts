// Finds the weights of the ranking and of the decision by regression over the evaluation's documents, leaving one document out
// in turn, and prints them beside the accuracy on the document left out. What it prints is set by hand in
// server/dialogue/knowledge/rank.ts and decide.ts.
//   MODELS_DIR=… node --conditions=source --import tsx tests/bench/fit-ranking.ts [more folders with sets]
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readConfig } from '#server/config';
import { decide, evidenceOf } from '#server/dialogue/knowledge/decide';
import { find } from '#server/dialogue/knowledge/find';
import { readQuestion } from '#server/dialogue/knowledge/question';
import { clueNames, weights as setWeights } from '#server/dialogue/knowledge/rank';
import { buildIndex, type SearchIndex, setVectors } from '#server/dialogue/knowledge/search-index';
import { correctSpelling } from '#server/dialogue/knowledge/spell';
import { createEmbedding } from '#server/engines/embedding/index';
import { createWeights } from '#server/engines/weights/index';
import { demoAgent } from '#server/features/agents/demo-agent';

const setSchema = z.object({
  name: z.string(),
  half: z.enum(['dev', 'held-out']),
  demo: z.boolean().optional(),
  information: z.string().optional(),
  prompts: z.array(z.string()).optional(),
  questions: z.array(
    z.object({
      q: z.string(),
      a: z.string().optional(),
      decline: z.boolean().optional(),
      follow: z.boolean().optional(),
    }),
  ),
});

interface Sample {
  document: string;
  question: string;
  /** Clues of each candidate, best first by the present weights. */
  rows: number[][];
  right: boolean[];
  evidence: number[];
  evidenceNames: string[];
  confidence: number;
  answerable: boolean;
}

const here = join(dirname(fileURLToPath(import.meta.url)), 'answers');
const folders = [here, ...process.argv.slice(2)];
const stored = createWeights({ modelsDir: readConfig().modelsDir, attempts: 1 });
const embedding = createEmbedding({ weights: stored });
while (['fetching', 'loading'].includes(embedding.status().state))
  await new Promise((r) => setTimeout(r, 50));

const samples: Sample[] = [];
for (const folder of folders)
  for (const file of readdirSync(folder).filter((f) => f.endsWith('.json'))) {
    const set = setSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    if (set.half === 'held-out') continue;
    const information = set.demo
      ? demoAgent.companyInfo
      : readFileSync(join(folder, set.information ?? ''), 'utf8');
    const index = await buildIndex(information, set.demo ? demoAgent.prompts : (set.prompts ?? []));
    await embedAll(index);
    for (const { q, a, decline, follow } of set.questions) {
      if (follow) continue;
      const question = readQuestion(correctSpelling(index, q));
      const [vector] = await embedding.embed([q]);
      const findings = find(index, { question, context: [], sections: new Set(), vector: vector ?? null });
      const pattern = a ? new RegExp(a, 'i') : null;
      const evidence = evidenceOf(question, findings);
      samples.push({
        document: set.name,
        question: q,
        rows: findings.candidates.map((c) => clueNames.map((name) => c.clues[name])),
        right: findings.candidates.map((c) => pattern !== null && holds(index, c.unit, pattern)),
        evidence: Object.values(evidence),
        evidenceNames: Object.keys(evidence),
        confidence: decide(question, findings).confidence,
        answerable: !decline,
      });
    }
  }

/** Whether the fact stands in a unit, or in the list that it introduces or is one of. */
function holds(index: SearchIndex, id: number, pattern: RegExp): boolean {
  const unit = index.units[id];
  if (!unit) return false;
  if (pattern.test(unit.text)) return true;
  const block = index.listAfter.get(id) ?? (unit.kind === 'item' ? index.blocks[unit.block] : undefined);
  if (!block || block.units.length > 12) return false;
  return (
    !block.units.some((u) => pattern.test(index.units[u]?.text ?? '')) &&
    pattern.test(`${unit.leadIn} ${block.units.map((u) => index.units[u]?.text).join(', ')}`)
  );
}

async function embedAll(index: SearchIndex) {
  const texts = index.units.map((unit) => {
    const heading = unit.question ?? unit.headings.at(-1) ?? '';
    return `${heading}${heading ? (/[?.!]$/.test(heading) ? ' ' : ': ') : ''}${unit.text}`.slice(0, 400);
  });
  const made = await embedding.embed(texts);
  const joined = new Float32Array(made.length * embedding.dimensions);
  made.forEach((v, n) => {
    joined.set(v, n * embedding.dimensions);
  });
  setVectors(index, joined, embedding.dimensions);
}

const documents = [...new Set(samples.map((s) => s.document))];
const rankable = samples.filter((s) => s.answerable && s.right.some(Boolean));
const present = clueNames.map((name) => setWeights[name]);
console.log(
  `${samples.length} questions, ${documents.length} documents; ${samples.filter((s) => s.answerable).length} answerable, of which ${rankable.length} have the fact among the candidates`,
);

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
const topOf = (sample: Sample, w: readonly number[]) =>
  sample.rows.reduce((best, row, n) => (dot(row, w) > dot(sample.rows[best] ?? [], w) ? n : best), 0);
const firstRight = (list: readonly Sample[], w: readonly number[]) =>
  list.filter((s) => s.right[topOf(s, w)]).length;

/** Listwise softmax regression, drawn towards the present weights. */
function fitRanking(list: readonly Sample[], pull: number): number[] {
  const sharp = 12;
  const w = [...present];
  for (let round = 0; round < 800; round++) {
    const gradient = w.map((x, i) => pull * (x - (present[i] ?? 0)));
    for (const s of list) {
      const scores = s.rows.map((row) => Math.exp(sharp * dot(row, w)));
      const all = scores.reduce((a, b) => a + b, 0);
      const good = scores.reduce((a, b, n) => a + (s.right[n] ? b : 0), 0) || 1e-12;
      s.rows.forEach((row, n) => {
        const share = (scores[n] ?? 0) / all - (s.right[n] ? (scores[n] ?? 0) / good : 0);
        for (let i = 0; i < row.length; i++)
          gradient[i] = (gradient[i] ?? 0) + (share * (row[i] ?? 0)) / list.length;
      });
    }
    for (let i = 0; i < w.length; i++) w[i] = (w[i] ?? 0) - 0.08 * (gradient[i] ?? 0);
  }
  return w;
}

const shown = (w: readonly number[], names: readonly string[]) =>
  names.map((name, i) => `${name} ${(w[i] ?? 0).toFixed(2)}`).join(', ');

console.log(`ranking as set: ${firstRight(rankable, present)}/${rankable.length} first`);
for (const pull of [0.01, 0.05, 0.2, 1]) {
  let crossed = 0;
  for (const left of documents) {
    const w = fitRanking(
      rankable.filter((s) => s.document !== left),
      pull,
    );
    crossed += firstRight(
      rankable.filter((s) => s.document === left),
      w,
    );
  }
  const w = fitRanking(rankable, pull);
  console.log(
    `pull ${pull}: left out ${crossed}/${rankable.length}, all ${firstRight(rankable, w)}: ${shown(w, clueNames)}`,
  );
}

/** Logistic regression, answerable with the right fact first against everything else. */
function fitDecision(list: readonly Sample[], pull: number): number[] {
  const size = (list[0]?.evidence.length ?? 0) + 1;
  const w = new Array<number>(size).fill(0);
  const positive = list.filter(isGood).length || 1;
  const negative = list.length - positive || 1;
  for (let round = 0; round < 6_000; round++) {
    const gradient = w.map((x, i) => (i < size - 1 ? pull * x : 0));
    for (const s of list) {
      const x = [...s.evidence, 1];
      const good = isGood(s);
      const error = (1 / (1 + Math.exp(-dot(x, w))) - (good ? 1 : 0)) / (good ? positive : negative);
      for (let i = 0; i < size; i++) gradient[i] = (gradient[i] ?? 0) + error * (x[i] ?? 0);
    }
    for (let i = 0; i < size; i++) w[i] = (w[i] ?? 0) - 0.5 * (gradient[i] ?? 0);
  }
  return w;
}
const isGood = (s: Sample) => s.answerable && s.right[0] === true;
const judge = (list: readonly Sample[], confidence: (s: Sample) => number) => ({
  answered: list.filter((s) => isGood(s) && confidence(s) > 0).length,
  declined: list.filter((s) => !s.answerable && confidence(s) <= 0).length,
});
const decidable = samples.filter((s) => !s.answerable || s.right[0]);
const good = decidable.filter(isGood).length;
const none = decidable.length - good;
const told = (j: { answered: number; declined: number }) =>
  `answered ${j.answered}/${good}, declined ${j.declined}/${none}`;
console.log(`decision as set: ${told(judge(decidable, (s) => s.confidence))}`);
for (const pull of [0.003, 0.01, 0.03]) {
  const crossed = { answered: 0, declined: 0 };
  const margins: [number, boolean][] = [];
  for (const left of documents) {
    const w = fitDecision(
      decidable.filter((s) => s.document !== left),
      pull,
    );
    const out = decidable.filter((s) => s.document === left);
    const j = judge(out, (s) => dot([...s.evidence, 1], w));
    for (const s of out) margins.push([dot([...s.evidence, 1], w), isGood(s)]);
    crossed.answered += j.answered;
    crossed.declined += j.declined;
  }
  const w = fitDecision(decidable, pull);
  const bars = [-0.6, -0.4, -0.2, 0, 0.2, 0.4].map(
    (bar) =>
      `${bar}: ${margins.filter(([m, g]) => g && m > bar).length}+${margins.filter(([m, g]) => !g && m <= bar).length}`,
  );
  console.log(
    `pull ${pull}: left out ${told(crossed)}; bars ${bars.join(', ')}; all ${told(judge(decidable, (s) => dot([...s.evidence, 1], w)))}: ${shown(w, [...(samples[0]?.evidenceNames ?? []), 'constant'])}`,
  );
}
await embedding.close();
await stored.close();

// Asks the dialogue, in this process, sets of questions and prints every question, its reply and the verdict, then tables.
//   npm run evaluate                                  our own documents, tests/bench/answers/
//   npm run evaluate -- set.json --info policy.md     a set {retail: [{q, a}], abstain: [{q}], abstain_pattern} on a text
//   npm run evaluate -- --strangers file.json         [{agent, questions: [{q, kind, ideal, accept_regex, reject_regex}], dialogues}], or {businesses} of the same
//   npm run evaluate -- --external folder             external-*.json, judged by the folder's external-measures.cjs
//   npm run evaluate -- --callers                     invented businesses that the reader did not learn from, and what callers ask
// These can be asked for together; --own adds our own then.
// Which:   --half dev|held-out, --set and --agent (a part of the name), --kind, --limit (per set, spread evenly), --folder (other own sets)
// How:     --earlier (of a talk's user turns, said again: 3), --given (talks as they were, both sides), --no-cache (computes all anew),
//          --glance (as it answers while many others wait)
// Printed: --totals (tables alone), --wrong (alone what was not right in one turn), --trace, --dialogues (scripted dialogues, instead of questions), --out file.json
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { askRound, converse } from './ask.ts';
import { type Brain, openBrain } from './brain.ts';
import { callersRounds } from './callers-set.ts';
import type { Asked, Case, Round } from './case.ts';
import { externalRounds } from './external-sets.ts';
import { groupBy } from './group-by.ts';
import { givenRounds, ownRounds } from './own-sets.ts';
import { lines, record, table } from './report.ts';
import { strangersRounds } from './strangers-set.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    info: { type: 'string' },
    strangers: { type: 'string', multiple: true, default: [] },
    external: { type: 'string', multiple: true, default: [] },
    callers: { type: 'boolean', default: false },
    own: { type: 'boolean', default: false },
    folder: { type: 'string' },
    half: { type: 'string' },
    set: { type: 'string' },
    agent: { type: 'string' },
    kind: { type: 'string' },
    limit: { type: 'string' },
    earlier: { type: 'string', default: '3' },
    given: { type: 'boolean', default: false },
    'no-cache': { type: 'boolean', default: false },
    glance: { type: 'boolean', default: false },
    totals: { type: 'boolean', default: false },
    wrong: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    dialogues: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});

const rounds = chosen(wantedRounds());
const brain = await openBrain({ cache: !options['no-cache'], glance: options.glance });
if (options.dialogues) await tellDialogues(brain, rounds);
else await evaluate(brain, rounds);
await brain.close();

function wantedRounds(): Round[] {
  const { info, strangers, external, callers, given } = options;
  const [file] = positionals;
  if (file && !info) throw new Error('Give the company information of this set with --info.');
  const others = [
    ...(file && info ? givenRounds(file, info) : []),
    ...strangers.flatMap(strangersRounds),
    ...(callers ? callersRounds() : []),
    ...external.flatMap((folder) => externalRounds(folder, { earlier: Number(options.earlier), given })),
  ];
  const folder = options.folder ?? join(dirname(fileURLToPath(import.meta.url)), '../answers');
  return others.length === 0 || options.own ? [...ownRounds(folder), ...others] : others;
}

function chosen(all: readonly Round[]): Round[] {
  const has = (name: string, part: string | undefined) =>
    !part || name.toLowerCase().includes(part.toLowerCase());
  const filtered = all
    .filter(
      ({ half, title, name }) => has(`${title} ${name}`, options.set) && (options.half ?? half) === half,
    )
    .filter(({ name, agent }) => has(`${name} ${agent.name}`, options.agent))
    .map((round) => ({
      ...round,
      cases: round.cases.filter(({ kind }) => (options.kind ?? kind) === kind),
    }));
  const kept = options.limit ? spread(filtered, Number(options.limit)) : null;
  return kept
    ? filtered.map((round) => ({ ...round, cases: round.cases.filter((each) => kept.has(each)) }))
    : filtered;
}

/** At most `limit` cases of every title, spread evenly over its rounds. */
function spread(all: readonly Round[], limit: number): Set<Case> {
  return new Set(
    groupBy(all, ({ title }) => title).flatMap(([, group]) => {
      const cases = group.flatMap((round) => round.cases);
      const step = Math.max(1, cases.length / limit);
      return cases.filter((_, at) => at === 0 || Math.floor(at / step) !== Math.floor((at - 1) / step));
    }),
  );
}

async function evaluate(brain: Brain, all: readonly Round[]) {
  const asked: Asked[] = [];
  let title = '';
  for (const [at, round] of all.entries()) {
    if (round.cases.length === 0) continue;
    await brain.dialogue.complete(round.agent);
    if (round.title !== title && !options.totals) console.log(`\n## ${round.title}`);
    title = round.title;
    asked.push(
      ...(await askRound(brain, round, (one) => {
        if (!options.totals && !(options.wrong && one.first.verdict.right))
          console.log(lines(one, options.trace));
      })),
    );
    if (all[at + 1]?.agent !== round.agent) brain.dialogue.forget(round.agent);
  }
  for (const [name, group] of groupBy(asked, ({ round }) => round.title))
    console.log(`\n${table(name, group)}`);
  const times = asked.map(({ first }) => first.ms).sort((a, b) => a - b);
  const percentile = (p: number) => times[Math.floor(times.length * p)]?.toFixed(1) ?? '–';
  console.log(
    `\nFirst sentence: p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms${options['no-cache'] ? '' : ' (what was read before came from the cache)'}`,
  );
  if (options.out) writeFileSync(options.out, JSON.stringify(asked.map(record), null, 1));
}

async function tellDialogues(brain: Brain, all: readonly Round[]) {
  for (const { title, name, agent, dialogues } of all)
    for (const turns of dialogues) {
      console.log(`\n## ${title}, ${name}\n${brain.dialogue.greet(agent)}`);
      await brain.dialogue.complete(agent);
      const conversation = converse(brain, agent);
      for (const { user, good } of turns) {
        const { text, outcome, trace, contact, topic } = await conversation.say(user);
        console.log(`\n    said:    ${user}\n    replied: ${text}\n    good:    ${good}`);
        console.log(
          `    (${outcome}${topic ? `, about ${topic}` : ''}${contact ? `, left ${JSON.stringify(contact)}` : ''})`,
        );
        if (options.trace) for (const line of trace) console.log(`        (${line})`);
      }
    }
}

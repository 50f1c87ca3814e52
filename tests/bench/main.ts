// `npm run bench [part …]`: the figures of docs/performance.md. Parts: barge-in, crowd, cut-offs, dialogue, effects,
// endpointing, heard, hearing, instances, instances-rooms, instructions, kills, knowledge, lists, made-up, memory, migration, model, neighbours,
// peers, ramp, real-model, rooms, rooms-agent, scaling, sentiment, soak, speaking, startup, stats, turns, voice. Without one, all of them
// but kills, peers and soak, which take 20 minutes or more, and heard, whose sets are not part of the project (docs/dialogue.md).
import { cpus, totalmem } from 'node:os';
import process from 'node:process';
import { checkings } from '#shared/engine-settings';
import { benchBargeIn } from './barge-in.ts';
import { benchCrowd } from './crowd.ts';
import { benchCutOffs } from './cut-offs.ts';
import { benchDialogue } from './dialogue.ts';
import { benchEffects } from './effects.ts';
import { benchEndpointing } from './endpointing.ts';
import { benchHeard } from './heard.ts';
import { benchHearing } from './hearing.ts';
import { benchInstancesInRooms } from './instances.rooms.ts';
import { benchInstances } from './instances.ts';
import { benchInstructions } from './instructions.ts';
import { benchKills } from './kills.ts';
import { benchKnowledge } from './knowledge.ts';
import { benchLists } from './lists.ts';
import { benchMadeUp } from './made-up.ts';
import { benchMemory } from './memory.ts';
import { benchMigration } from './migration.ts';
import { benchModel } from './model.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchPeers } from './peers.ts';
import { benchRamp } from './ramp.ts';
import { benchRealModel } from './real-model.ts';
import { benchRooms } from './rooms.ts';
import { benchRoomsAgent } from './rooms-agent.ts';
import { benchScaling } from './scaling.ts';
import { benchSentiment } from './sentiment.ts';
import { benchSoak } from './soak.ts';
import { benchSpeaking } from './speaking.ts';
import { benchStartup } from './startup.ts';
import { benchStats } from './stats.ts';
import { benchSynthesis } from './synthesis.ts';
import { benchTurns } from './turn-latency.ts';
import { benchTwoVersions } from './two-versions.ts';

const isFile = (argument: string) => argument.endsWith('.json');

/** The value of `--name=`. */
const argumentOf = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);

/** Skipped unless named: they take long, or need files outside the project. */
const isLong = (name: string) => ['heard', 'kills', 'peers', 'soak'].includes(name);

const parts: Record<string, () => Promise<unknown>> = {
  startup: benchStartup,
  sentiment: () => benchSentiment({ labelled: process.argv.slice(2).find(isFile) }),
  instances: benchInstances,
  'instances-rooms': benchInstancesInRooms,
  instructions: benchInstructions,
  knowledge: () => benchKnowledge(process.argv.slice(2).filter(isFile)),
  lists: () => benchLists(),
  heard: () =>
    benchHeard({
      sets: argumentOf('sets') ?? '',
      half: argumentOf('half') === 'held-out' ? 'held-out' : 'dev',
      checking: checkings.find((each) => each === argumentOf('checking')) ?? 'doubtful',
      verdicts: argumentOf('verdicts') === 'none' ? 'none' : 'right',
      verbose: process.argv.includes('--verbose'),
    }),
  'made-up': () =>
    benchMadeUp({
      split: argumentOf('split') === 'dev' ? 'dev' : 'held-out',
      verbose: process.argv.includes('--verbose'),
    }),
  memory: benchMemory,
  migration: () => benchMigration(),
  model: benchModel,
  'real-model': benchRealModel,
  rooms: () => benchRooms(),
  'rooms-agent': () => benchRoomsAgent(),
  scaling: benchScaling,
  voice: () => benchSynthesis({}),
  dialogue: () => benchDialogue(),
  effects: benchEffects,
  turns: () => benchTurns({}),
  'two-versions': benchTwoVersions,
  crowd: benchCrowd,
  neighbours: benchNeighbours,
  peers: () =>
    benchPeers({
      channel: argumentOf('channel'),
      questions: Number(argumentOf('questions') ?? 18),
      pauses: process.argv.includes('--pauses'),
    }),
  ramp: () => benchRamp(argumentOf('out')),
  speaking: () => benchSpeaking(),
  hearing: () => benchHearing(),
  endpointing: () => benchEndpointing(),
  'cut-offs': () => benchCutOffs(),
  'barge-in': () => benchBargeIn(),
  soak: () => benchSoak(),
  kills: benchKills,
  stats: () => benchStats({}),
};

const wanted = process.argv.slice(2).filter((argument) => !isFile(argument) && !argument.startsWith('--'));
const unknown = wanted.find((name) => !parts[name]);
if (unknown) {
  console.error(`There is no part "${unknown}"; choose from ${Object.keys(parts).join(', ')}.`);
  process.exit(1);
}
console.log(
  `${cpus()[0]?.model}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.version}, ${process.platform}`,
);
for (const [name, run] of Object.entries(parts)) {
  if (wanted.length > 0 ? !wanted.includes(name) : isLong(name)) continue;
  console.log(`\n${name}`);
  const figures = await run();
  if (figures) console.log(figures);
}
process.exit(0);

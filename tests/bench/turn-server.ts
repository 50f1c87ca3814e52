// The server that benchTurns measures, in a process of its own: the product's own parts, started as server/main.ts starts
// them. Two things are added from outside. Every reply begins with a sentence of exactly 12 words that was never spoken
// before, so that no cache answers; and the process reports its event-loop delay, and how long each step took, over IPC.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openDatabase } from '#server/database/open';
import type { Dialogue } from '#server/dialogue/contract';
import { createDialogue } from '#server/dialogue/respond';
import { openEngines } from '#server/engines/index';
import { createLogger } from '#server/logger';
import { Steps } from './speaking.steps.ts';
import type { ToTurnBench, ToTurnServer } from './turn-latency.ts';

const VOICE_WAIT_MS = 180_000;

function tell(message: ToTurnBench): void {
  process.send?.(message);
}

const config = readConfig();
const logger = createLogger({ level: 'error' });
const dataDir = mkdtempSync(join(tmpdir(), 'sigma-bench-turns-'));
const database = await openDatabase({ dataDir, databaseUrl: config.databaseUrl, logger });
const { engines, begin, close: closeEngines } = await openEngines({ ...config, dataDir }, { logger });
const { synthesis, recognition, voiceActivity } = engines;
const dialogue = startingFresh(createDialogue({ models: engines.models, reading: engines.reading }));
const steps = new Steps();
const app = await createApp({
  config: { publicUrl: null, corsOrigins: [], rateLimit: false },
  database,
  engines: {
    ...engines,
    synthesis: steps.synthesis(synthesis),
    recognition: steps.recognition(recognition),
  },
  dialogue: steps.dialogue(dialogue),
  logger,
});

const delay = monitorEventLoopDelay({ resolution: 1 });
process.on('message', async (message: ToTurnServer) => {
  if (message === 'watch') {
    delay.reset();
    delay.enable();
  } else if (message === 'report') {
    delay.disable();
    tell({
      kind: 'event-loop',
      p50Ms: delay.percentile(50) / 1e6,
      p99Ms: delay.percentile(99) / 1e6,
      maxMs: delay.max / 1e6,
    });
  } else if (message === 'steps') tell({ kind: 'steps', ...steps.take() });
  else await close();
});
process.on('disconnect', close);

const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
begin();
const deadline = Date.now() + VOICE_WAIT_MS;
for (const engine of [synthesis, recognition, voiceActivity])
  while (engine.status().state !== 'ready' && Date.now() < deadline) await pause(50);
tell({ kind: 'ready', url, voice: synthesis.status(), ears: recognition.status() });

async function close(): Promise<void> {
  await app.close();
  await dialogue.close();
  await closeEngines();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
  process.exit(0);
}

function startingFresh(real: Dialogue): Dialogue {
  return {
    brain: real.brain,
    oneMoment: (agent) => real.oneMoment(agent),
    greet: (agent) => real.greet(agent),
    title: (agent, messages) => real.title(agent, messages),
    prepare: (agent, signal) => real.prepare(agent, signal),
    compare: (...asked) => real.compare(...asked),
    review: (agent, signal) => real.review(agent, signal),
    passagesOf: (document, language) => real.passagesOf(document, language),
    forget: (agent) => real.forget(agent),
    forgetAgent: (agentId) => real.forgetAgent(agentId),
    close: () => real.close(),
    async *respond(turn, signal) {
      for await (const event of real.respond(turn, signal))
        yield event.type === 'sentence' && event.index === 0 ? { ...event, text: freshSentence() } : event;
    },
  };
}

let sentences = 0;
/** Twelve words; 22,400 different sentences before one comes again. */
function freshSentence(): string {
  let n = sentences++;
  const next = (words: readonly string[]) => {
    const word = words[n % words.length];
    n = Math.floor(n / words.length);
    return word;
  };
  const name = next([
    'Anna',
    'Boris',
    'Clara',
    'David',
    'Elena',
    'Felix',
    'Greta',
    'Henry',
    'Irene',
    'Jonas',
  ]);
  const item = next(['kettle', 'speaker', 'toaster', 'lamp', 'heater', 'camera', 'blender', 'printer']);
  const colour = next(['black', 'silver', 'white', 'green', 'yellow', 'purple', 'orange', 'golden']);
  const day = next(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']);
  const city = next(['Berlin', 'Lisbon', 'Vienna', 'Oslo', 'Madrid', 'Dublin', 'Prague']);
  return `${name}, your ${colour} ${item} was packed on ${day} and leaves ${city} tomorrow.`;
}

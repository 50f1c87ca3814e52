// The server that benchTurns measures, in a process of its own: the product's own parts, started as server/app/main.ts starts
// them. Two things are added from outside. Every reply begins with a sentence of exactly 12 words that was never spoken
// before, so that no cache answers, and is nothing else where a fixed answer is asked for; and the process reports its event-loop delay, and how long each step took, over IPC.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '#server/app/app';
import { openDatabase } from '#server/database/open';
import type { Dialogue } from '#server/dialogue/contract';
import { createDialogue } from '#server/dialogue/respond';
import { openEngines } from '#server/engines/index';
import { readConfig } from '#server/settings/config';
import { createLogger } from '#server/telemetry/logger';
import { quickPasswords } from '../support/quick-passwords.ts';
import { freshSentence } from './fresh-sentence.ts';
import { Steps } from './speaking.steps.ts';
import { FIXED_ANSWER, type ToTurnBench, type ToTurnServer } from './turn-server.start.ts';

const VOICE_WAIT_MS = 180_000;

function tell(message: ToTurnBench): void {
  process.send?.(message);
}

const config = readConfig();
const logger = createLogger({ level: 'error' });
const dataDir = mkdtempSync(join(tmpdir(), 'sigma-bench-turns-'));
const database = await openDatabase({ dataDir, databaseUrl: config.databaseUrl, logger });
const {
  engines,
  begin,
  close: closeEngines,
} = await openEngines({ ...config, dataDir }, { logger, installation: 'bench' });
const { synthesis, recognition, voiceActivity } = engines;
const dialogue = startingFresh(createDialogue({ models: engines.models, reading: engines.reading }));
const isAnswerFixed = process.argv[2] === FIXED_ANSWER;
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
  passwords: quickPasswords,
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
    stillThere: (agent) => real.stillThere(agent),
    greet: (agent) => real.greet(agent),
    title: (agent, messages) => real.title(agent, messages),
    prepare: (agent, signal) => real.prepare(agent, signal),
    compare: (...asked) => real.compare(...asked),
    review: (agent, signal) => real.review(agent, signal),
    passagesOf: (...asked) => real.passagesOf(...asked),
    countPassages: (...asked) => real.countPassages(...asked),
    forget: (agent) => real.forget(agent),
    forgetAgent: (agentId) => real.forgetAgent(agentId),
    close: () => real.close(),
    async *respond(turn, signal) {
      if (isAnswerFixed) {
        const text = freshSentence();
        yield { type: 'sentence', index: 0, text, isLast: true };
        yield { type: 'reply', text, citations: [], outcome: 'answered' };
        return;
      }
      for await (const event of real.respond(turn, signal))
        yield event.type === 'sentence' && event.index === 0 ? { ...event, text: freshSentence() } : event;
    },
  };
}

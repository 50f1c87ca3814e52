// What each part of the server adds to the memory of its processes, one after the other, on the build in dist/: without the
// tools that compile sources while they run. Started by memory.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { buildIfStale } from '../../scripts/lib/prepare.js';
import { resident } from './resident.js';

const SETTLE_MS = 2_000;
const LOADING_MS = 180_000;
const dataDir = mkdtempSync(join(tmpdir(), 'sigma-bench-memory-'));
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const open = [];

await buildIfStale();
let before = { all: 0, own: 0 };
/** Runs one step, lets it settle and prints the memory it added. */
async function step(name, run) {
  const made = await run();
  await pause(SETTLE_MS);
  const now = resident(process.pid);
  const columns = [now.all - before.all, now.own - before.own, now.all].map((mb) => `${Math.round(mb)} MB`);
  console.log(`  ${name.padEnd(66)} ${columns.map((column) => column.padStart(8)).join('')}`);
  before = now;
  return made;
}

async function ready(engine) {
  open.push(engine);
  const until = Date.now() + LOADING_MS;
  while (engine.status().state !== 'ready') {
    if (Date.now() > until) throw new Error(engine.status().message);
    await pause(50);
  }
  return engine;
}

console.log(`  ${''.padEnd(66)}    added of its own  in all`);
await step('Node.js', () => {});
await step('the program (main, app, their libraries)', () =>
  Promise.all([
    import('#server/app/app'),
    import('#server/database/open'),
    import('#server/database/pool'),
    import('#server/dialogue/respond'),
    import('#server/engines/index'),
  ]),
);
const { readConfig } = await import('#server/settings/config');
const config = { ...readConfig(), dataDir };
await step('the embedded PostgreSQL, with a new data directory', async () => {
  const { openDatabase } = await import('#server/database/open');
  open.push(await openDatabase({ dataDir, databaseUrl: null, logger }));
});
const reading = await step('reading: two encoders and a cross-encoder', async () => {
  const { createReading } = await import('#server/engines/reading/index');
  return ready(createReading());
});
await step('sentiment', async () => {
  const { createSentiment } = await import('#server/engines/sentiment/index');
  return ready(createSentiment());
});
await step('live rooms', async () => {
  const { createRooms } = await import('#server/engines/rooms/index');
  return ready(await createRooms(config, { logger }));
});
const { createWeights } = await import('#server/engines/weights/index');
const weights = createWeights({ modelsDir: config.modelsDir });
open.push(weights);
await step('voice activity', async () => {
  const { createVoiceActivity } = await import('#server/engines/voice-activity/index');
  return ready(createVoiceActivity({ weights }));
});
const recognition = await step('recognition', async () => {
  const { createRecognition } = await import('#server/engines/recognition/index');
  return ready(createRecognition({ weights }));
});
const voice = await step('the voice', async () => {
  const { createSynthesis } = await import('#server/engines/synthesis/index');
  return ready(createSynthesis({ weights }));
});
const spoken = [];
await step('three sentences spoken', async () => {
  for (const when of ['today', 'tomorrow', 'on Friday'])
    for await (const phrase of voice.synthesize({
      text: `Thanks for calling, your order of two lamps and a table will be with you ${when}.`,
      urgency: 'first',
    }))
      spoken.push(phrase);
});
await step('made MP3', async () => {
  const { createMp3Encoder } = await import('#server/engines/encoding/mp3');
  const encoder = createMp3Encoder();
  open.push(encoder);
  for (const phrase of spoken) await encoder.encode(phrase, 'now');
});
await step('and recognised again', async () => {
  const { resample } = await import('#server/audio/resampler');
  for (const { samples, sampleRate } of spoken)
    await recognition.recognize({ samples: resample(samples, sampleRate, 16_000), urgency: 'final' });
});
await step('where a language model answers: the check of its sentences', () =>
  reading.entailment('We open at nine.', 'Hours: Open from nine.'),
);
for (const part of open.reverse()) await part.close();
rmSync(dataDir, { recursive: true, force: true });

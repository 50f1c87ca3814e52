import { join } from 'node:path';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openDatabase } from '#server/database/open';
import { createDialogue } from '#server/dialogue/respond';
import { createMp3Encoder } from '#server/engines/encoding/mp3';
import { createLanguage } from '#server/engines/language/index';
import { createLiveKitParticipants } from '#server/engines/participants/livekit';
import { createReading } from '#server/engines/reading/index';
import { openVectorFiles } from '#server/engines/reading/vector-files';
import { createRecognition } from '#server/engines/recognition/index';
import { createRooms } from '#server/engines/rooms/index';
import { createSentiment } from '#server/engines/sentiment/index';
import { createMediaStore } from '#server/engines/storage/index';
import { createSynthesis } from '#server/engines/synthesis/index';
import { createTurnJudgement } from '#server/engines/turn-judgement/index';
import { createVoiceActivity } from '#server/engines/voice-activity/index';
import { createWeights } from '#server/engines/weights/index';
import { endInOrder } from '#server/lifecycle';
import { listen } from '#server/listen';
import { createLogger } from '#server/logger';
import { StartError } from '#server/start-error';
import { showWeights } from '#server/weights-progress';

/** Closes what is open, in the other order than it was opened. What is still being opened is waited for. */
const open: (() => Promise<void>)[] = [];
let ending = false;

async function closeAll(): Promise<void> {
  ending = true;
  for (const close of open.splice(0).reverse()) await close();
}

/** Settings → database → engines → app → listen. Weights and models come in the background. */
async function start(): Promise<void> {
  const config = readConfig();
  const logger = createLogger({ level: config.logLevel });
  const end = endInOrder(closeAll, logger);

  const opening = openDatabase({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    logger,
    onLost: () => end(1),
  });
  open.push(() =>
    opening.then(
      (database) => database.close(),
      () => {},
    ),
  );
  const database = await opening;
  if (ending) return;

  const weights = createWeights({ modelsDir: config.modelsDir, logger });
  const synthesis = createSynthesis({ weights, logger, speechSynthesis: config.speechSynthesis });
  const encoder = createMp3Encoder();
  const recognition = createRecognition({ weights, logger, speechRecognition: config.speechRecognition });
  const voiceActivity = createVoiceActivity({ weights, logger });
  const turnJudgement = createTurnJudgement({ logger });
  const reading = createReading({ logger });
  const language = createLanguage(config);
  const sentiment = createSentiment({ reading });
  const rooms = createRooms(config, { logger });
  const participants = createLiveKitParticipants({ logger });
  const mediaStore = createMediaStore(config);
  const dialogue = createDialogue({
    language,
    reading,
    vectors: openVectorFiles(join(config.dataDir, 'vectors')),
    logger,
  });
  for (const part of [
    weights,
    synthesis,
    encoder,
    recognition,
    voiceActivity,
    turnJudgement,
    reading,
    sentiment,
    rooms,
    participants,
    mediaStore,
    dialogue,
  ])
    open.push(() => part.close());

  const app = await createApp({
    config,
    database,
    engines: {
      synthesis,
      encoder,
      recognition,
      voiceActivity,
      turnJudgement,
      reading,
      language,
      sentiment,
      rooms,
      participants,
    },
    mediaStore,
    dialogue,
    logger,
  });
  open.push(() => app.close());
  if (ending) return;

  const address = await listen(app.server, config.host, config.port);
  process.stdout.write(`Sigma is ready at ${address}\n`);
  void encoder.warmUp();
  showWeights(weights, process.stderr);
}

start().catch(async (error: unknown) => {
  await closeAll().catch(() => {});
  process.stderr.write(`${startSentence(error)}\n`);
  process.exit(1);
});

function startSentence(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return `Sigma could not start: ${error instanceof Error ? error.message : String(error)}`;
}

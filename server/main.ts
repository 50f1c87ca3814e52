import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openDatabase } from '#server/database/open';
import { createDialogue } from '#server/dialogue/respond';
import { createEmbedding } from '#server/engines/embedding/index';
import { createLanguage } from '#server/engines/language/index';
import { createSynthesis } from '#server/engines/synthesis/index';
import { createWeights } from '#server/engines/weights/index';
import { endInOrder } from '#server/lifecycle';
import { listen } from '#server/listen';
import { createLogger } from '#server/logger';
import { StartError } from '#server/start-error';
import { showWeights } from '#server/weights-progress';

/** What is open, in the order it was opened: closed in the other one. */
const open: { name: string; close(): Promise<void> }[] = [];

async function closeAll(): Promise<void> {
  for (const part of open.splice(0).reverse()) await part.close();
}

/** Settings → database → engines → app → listen. Weights and models come in the background. */
async function start(): Promise<void> {
  const config = readConfig();
  const logger = createLogger({ level: config.logLevel });
  const end = endInOrder(closeAll, logger);

  const database = await openDatabase({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    logger,
    onLost: () => end(1),
  });
  open.push({ name: 'database', close: database.close });

  const weights = createWeights({ modelsDir: config.modelsDir, logger });
  open.push({ name: 'weights', close: () => weights.close() });
  const synthesis = createSynthesis({ weights, logger });
  open.push({ name: 'synthesis', close: () => synthesis.close() });
  const embedding = createEmbedding({ weights });
  open.push({ name: 'embedding', close: () => embedding.close() });
  const language = createLanguage(config);
  const dialogue = createDialogue({ language, embedding });
  open.push({ name: 'dialogue', close: () => dialogue.close() });

  const app = await createApp({
    config,
    database,
    engines: { synthesis, embedding, language },
    dialogue,
    logger,
  });
  open.push({ name: 'app', close: () => app.close() });

  const address = await listen(app.server, config.host, config.port);
  process.stdout.write(`Sigma is ready at ${address}\n`);
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

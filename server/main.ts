import { join } from 'node:path';
import type { AppParts } from '#server/app';
import { type Config, readConfig } from '#server/config';
import { openDatabase } from '#server/database/open';
import { endInOrder } from '#server/lifecycle';
import { listen } from '#server/listen';
import { createLogger, type Logger } from '#server/logger';
import { StartError } from '#server/start-error';
import { showWeights } from '#server/weights-progress';

/** Closes what is open, in the other order than it was opened. What is still being opened is waited for. */
const open: (() => Promise<void>)[] = [];
let ending = false;

async function closeAll(): Promise<void> {
  ending = true;
  for (const close of open.splice(0).reverse()) await close();
}

/** Settings → database → what owners saved of them → engines → app → listen. Weights and models come in the background. */
async function start(): Promise<void> {
  const given = readConfig();
  const logger = createLogger({ level: given.logLevel });
  const end = endInOrder(closeAll, logger);

  const opening = openDatabase({
    dataDir: given.dataDir,
    databaseUrl: given.databaseUrl,
    logger,
    onLost: () => end(1),
  });
  open.push(() =>
    opening.then(
      (database) => database.close(),
      () => {},
    ),
  );
  opening.catch(() => {}); // It is waited for below.
  // The database opens in its thread while this one reads the rest of the program.
  const [
    { createApp },
    { configWithSaved },
    { createDialogue },
    { openEngines },
    { openVectorFiles },
    counting,
    tracing,
  ] = await Promise.all([
    import('#server/app'),
    import('#server/open-engines'),
    import('#server/dialogue/respond'),
    import('#server/engines/index'),
    import('#server/engines/reading/vector-files'),
    openMetrics(given.metrics),
    openTracing(given.traces, logger),
  ]);
  const database = await opening;
  if (ending) return;

  const config = await configWithSaved(database.db, logger);
  const { engines, weights, begin, close } = await openEngines(config, { logger, ...counting });
  open.push(close);
  const dialogue = createDialogue({
    models: engines.models,
    reading: engines.reading,
    vectors: openVectorFiles(join(config.dataDir, 'vectors')),
    logger,
  });
  open.push(() => dialogue.close());
  const app = await createApp({ config, database, engines, dialogue, logger, ...counting, ...tracing });
  open.push(() => app.close());
  if (ending) return;

  const address = await listen(app.server, config.host, config.port);
  process.stdout.write(`Sigma is ready at ${address}\n`);
  begin();
  showWeights(weights, process.stderr);
}

/** Counts from the first moment on, and shows what is counted. */
async function openMetrics(address: Config['metrics']): Promise<Pick<AppParts, 'metrics'>> {
  if (!address) return {};
  const [{ createPrometheus }, { serveMetrics }] = await Promise.all([
    import('#server/telemetry/prometheus'),
    import('#server/metrics-server'),
  ]);
  const metrics = createPrometheus();
  const door = await serveMetrics(metrics, address.host, address.port);
  open.push(async () => {
    await door.close();
    metrics.close();
  });
  return { metrics };
}

/** Has a trace made of each turn. */
async function openTracing(collector: Config['traces'], logger: Logger): Promise<Pick<AppParts, 'onTurn'>> {
  if (!collector) return {};
  const { openTraces } = await import('#server/telemetry/opentelemetry');
  const traces = openTraces({
    ...collector,
    onFailure: (error) => logger.warn({ err: error }, 'traces are not taken by their collector'),
  });
  open.push(() => traces.close());
  return { onTurn: (story) => traces.turn(story) };
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

import { join } from 'node:path';
import type { AppParts } from '#server/app/app-parts';
import { listen } from '#server/app/listen';
import { openMetrics } from '#server/app/open-metrics';
import { closeBelow, closeToOthers, makePrivately } from '#server/app/private-directory';
import { runProgram } from '#server/app/run-program';
import { takeSecrets } from '#server/app/take-secrets';
import { showWeights } from '#server/app/weights-progress';
import { openDatabase } from '#server/database/open';
import { installationName } from '#server/database/secrets';
import { type Config, unnamedProxy } from '#server/settings/config';
import { watchSecrets } from '#server/settings/watch-secrets';
import type { Logger } from '#server/telemetry/logger';

makePrivately();

/** Settings → database → owners' saved settings → engines → app → listen. Weights and models load in the background. */
runProgram(async ({ config: given, logger, onEnd, isEnding, end }) => {
  let watch: ReturnType<typeof watchSecrets> | undefined;
  await closeToOthers(given.dataDir, logger);
  const opening = openDatabase({
    dataDir: given.dataDir,
    databaseUrl: given.databaseUrl,
    hasReserve: true,
    logger,
    onLost: () => end(1),
    onRefused: async () => watch?.look(),
  });
  onEnd(() =>
    opening.then(
      (database) => database.close(),
      () => {},
    ),
  );
  opening.catch(() => {}); // Awaited below.
  // The database opens in its thread while this one loads the rest of the program.
  const [
    { createApp },
    { configWithSaved },
    { createDialogue },
    { openEngines },
    { openVectorFiles },
    counting,
    tracing,
  ] = await Promise.all([
    import('#server/app/app'),
    import('#server/app/parts/engines'),
    import('#server/dialogue/respond'),
    import('#server/engines/index'),
    import('#server/engines/reading/vector-files'),
    openMetrics(given, onEnd),
    openTracing(given.traces, logger, onEnd),
  ]);
  const database = await opening;
  if (isEnding()) return;

  const config = await configWithSaved(database.db, logger);
  const installation = await installationName(database.db);
  const { engines, weights, begin, close } = await openEngines(config, { logger, installation, ...counting });
  onEnd(close);
  const dialogue = createDialogue({
    models: engines.models,
    reading: engines.reading,
    vectors: openVectorFiles(join(config.dataDir, 'vectors')),
    ...(config.timeZone ? { timeZone: config.timeZone } : {}),
    logger,
  });
  onEnd(() => dialogue.close());
  const app = await createApp({ config, database, engines, dialogue, logger, ...counting, ...tracing });
  onEnd(() => app.close());
  watch = watchSecrets({ takers: takeSecrets({ database, engines, app }), logger });
  onEnd(async () => watch?.stop());
  if (isEnding()) return;

  const unnamed = unnamedProxy(config);
  if (unnamed) logger.warn(unnamed);
  const address = await listen(app.server, config.host, config.port);
  process.stdout.write(`Sigma is ready at ${address}\n`);
  begin();
  showWeights(weights, process.stderr);
  const closing = new AbortController();
  onEnd(async () => closing.abort());
  void closeBelow(config.dataDir, logger, closing.signal);
});

/** Opens a trace of each turn. */
async function openTracing(
  collector: Config['traces'],
  logger: Logger,
  onEnd: (close: () => Promise<void>) => void,
): Promise<Pick<AppParts, 'onTurn'>> {
  if (!collector) return {};
  const { openTraces } = await import('#server/telemetry/opentelemetry');
  const traces = openTraces({
    ...collector,
    onFailure: (error) => logger.warn({ err: error }, 'traces are not taken by their collector'),
  });
  onEnd(() => traces.close());
  return { onTurn: (story) => traces.turn(story) };
}

import { listen } from '#server/app/listen';
import { openMetrics } from '#server/app/open-metrics';
import { runProgram } from '#server/app/run-program';
import { showWeights } from '#server/app/weights-progress';
import { openSpeechEngines } from '#server/engines/speech';
import { watchSecrets } from '#server/settings/watch-secrets';
import { createSoundReader } from '#server/speech-server/read-sound';
import { createSpeechServer } from '#server/speech-server/server';

/** `npm run speech-server`: settings → ears and voice → listen. Weights and models load in the background. */
runProgram(async ({ config, logger, onEnd, isEnding }) => {
  const counting = await openMetrics(config, onEnd);
  const { engines, weights, begin, close } = openSpeechEngines(config, { logger, ...counting });
  onEnd(close);
  const sounds = createSoundReader();
  onEnd(() => sounds.close());
  const { host, port, apiKey } = config.speechServer;
  const speech = await createSpeechServer({ apiKey, ...engines, sounds, logger, ...counting });
  onEnd(() => speech.close());
  const watch = watchSecrets({
    takers: {
      SPEECH_API_KEY({ speechServer }) {
        if (speechServer.apiKey !== null) speech.takeKey(speechServer.apiKey);
        return speechServer.apiKey !== null;
      },
    },
    logger,
  });
  onEnd(async () => watch.stop());
  if (isEnding()) return;

  const address = await listen(speech.server, host, port, { host: 'SPEECH_HOST', port: 'SPEECH_PORT' });
  process.stdout.write(`Sigma's ears and voice are at ${address}/v1\n`);
  begin();
  showWeights(weights, process.stderr);
});

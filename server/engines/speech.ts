import type { Config } from '#server/settings/config';
import type { Logger } from '#server/telemetry/logger';
import { type Metrics, noMetrics } from '#server/telemetry/metrics';
import { createMp3Encoder } from './encoding/mp3.ts';
import type { Engines, OpenEngines } from './index.ts';
import { observedRecognition, observedSynthesis } from './observed.ts';
import { createRecognition } from './recognition/index.ts';
import { createSynthesis } from './synthesis/index.ts';
import { createWeights } from './weights/index.ts';

interface SpeechEngines extends Omit<OpenEngines, 'engines'> {
  engines: Pick<Engines, 'recognition' | 'synthesis' | 'encoder'>;
}

/** Only the embedded recognition and voice, regardless of what the settings name for a web instance. */
export function openSpeechEngines(
  { modelsDir }: Pick<Config, 'modelsDir'>,
  { logger, metrics = noMetrics }: { logger: Logger; metrics?: Metrics },
): SpeechEngines {
  let letBegin = () => {};
  const begin = new Promise<void>((resolve) => {
    letBegin = resolve;
  });
  const weights = createWeights({ modelsDir, logger, begin });
  const recognition = observedRecognition(createRecognition({ weights, logger }), metrics);
  const synthesis = observedSynthesis(createSynthesis({ weights, logger }), metrics);
  const encoder = createMp3Encoder();
  return {
    engines: { recognition, synthesis, encoder },
    weights,
    begin: letBegin,
    async close() {
      await Promise.all([recognition.close(), synthesis.close(), encoder.close()]);
      await weights.close();
    },
  };
}

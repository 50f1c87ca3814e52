import { join } from 'node:path';
import type { RecognitionEngine } from '#server/engines/recognition/contract';
import { createRecognition } from '#server/engines/recognition/index';
import type { VoiceActivityEngine } from '#server/engines/voice-activity/contract';
import { createVoiceActivity } from '#server/engines/voice-activity/index';
import { bundles } from '#server/engines/weights/bundles';
import { createWeights } from '#server/engines/weights/index';
import { isWhole } from '#server/engines/weights/stamp';
import { engineReady } from '../support/engine-ready.ts';

export interface Ears {
  recognition: RecognitionEngine;
  voiceActivity: VoiceActivityEngine;
  close(): Promise<void>;
}

export const earsAreIn = (modelsDir: string): Promise<boolean> =>
  isWhole(join(modelsDir, bundles.hearing.folder), bundles.hearing);

/** The product's own ears, ready to listen. Fetches missing weights first. */
export async function openEars(modelsDir: string): Promise<Ears> {
  const weights = createWeights({ modelsDir, attempts: 2 });
  await weights.ensure('hearing');
  const recognition = createRecognition({ weights });
  const voiceActivity = createVoiceActivity({ weights });
  await Promise.all([engineReady(recognition), engineReady(voiceActivity)]);
  return {
    recognition,
    voiceActivity,
    async close() {
      await Promise.all([recognition.close(), voiceActivity.close()]);
      await weights.close();
    },
  };
}

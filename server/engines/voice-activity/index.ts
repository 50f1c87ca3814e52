import type { Config } from '#server/settings/config';
import type { VoiceActivityEngine } from './contract.ts';
import { createSilero, type SileroOptions } from './silero.ts';

/**
 * The voice activity detection: the embedded Silero. Works once its weights are there; see `status()`. They
 * come with the embedded recognition, or alone where another server recognises.
 */
export const createVoiceActivity = ({
  speechRecognition,
  ...options
}: Omit<SileroOptions, 'bundle'> & Partial<Pick<Config, 'speechRecognition'>>): VoiceActivityEngine =>
  createSilero({ ...options, bundle: speechRecognition ? 'listening' : 'hearing' });

import type { Config } from '#server/settings/config';
import type { VoiceActivityEngine } from './contract.ts';
import { createSilero, type SileroOptions } from './silero.ts';

/**
 * What finds speech on this server: the embedded Silero. Listens as soon as its weights are there; see `status()`. Those come
 * with the embedded ears, or alone where others recognise what is said.
 */
export const createVoiceActivity = ({
  speechRecognition,
  ...options
}: Omit<SileroOptions, 'bundle'> & Partial<Pick<Config, 'speechRecognition'>>): VoiceActivityEngine =>
  createSilero({ ...options, bundle: speechRecognition ? 'listening' : 'hearing' });

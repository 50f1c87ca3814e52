import type { Config } from '#server/settings/config';
import type { RecognitionEngine } from './contract.ts';
import { createMoonshine, type MoonshineOptions } from './moonshine.ts';
import { createOpenAiRecognition } from './openai-compatible.ts';

/**
 * The recognition engine: the server that the settings name, or the embedded Moonshine, which works once its
 * weights are there; see `status()`.
 */
export const createRecognition = (
  options: MoonshineOptions & Partial<Pick<Config, 'speechRecognition'>>,
): RecognitionEngine =>
  options.speechRecognition ? createOpenAiRecognition(options.speechRecognition) : createMoonshine(options);

import type { Config } from '#server/settings/config';
import type { RecognitionEngine } from './contract.ts';
import { createMoonshine, type MoonshineOptions } from './moonshine.ts';
import { createOpenAiRecognition } from './openai-compatible.ts';

/**
 * What turns speech into text: the server that the settings name, or the embedded Moonshine, which hears as soon as its
 * weights are there; see `status()`.
 */
export const createRecognition = (
  options: MoonshineOptions & Partial<Pick<Config, 'speechRecognition'>>,
): RecognitionEngine =>
  options.speechRecognition ? createOpenAiRecognition(options.speechRecognition) : createMoonshine(options);

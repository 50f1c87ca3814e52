import type { RecognitionEngine } from './contract.ts';
import { createMoonshine, type MoonshineOptions } from './moonshine.ts';

/** What turns speech into text on this server: the embedded Moonshine. Hears as soon as its weights are there. */
export const createRecognition = (options: MoonshineOptions): RecognitionEngine => createMoonshine(options);

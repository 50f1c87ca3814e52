import type { VoiceActivityEngine } from './contract.ts';
import { createSilero, type SileroOptions } from './silero.ts';

/** What finds speech on this server: the embedded Silero. Listens as soon as its weights are there; see `status()`. */
export const createVoiceActivity = (options: SileroOptions): VoiceActivityEngine => createSilero(options);

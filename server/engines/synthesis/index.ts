import type { SynthesisEngine } from './contract.ts';
import { createPiper, type PiperOptions } from './piper.ts';

/** The voice of this server: the embedded one. Speaks as soon as its weights are there; see `status()`. */
export const createSynthesis = (options: PiperOptions): SynthesisEngine => createPiper(options);

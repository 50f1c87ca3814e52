import type { EngineStatus } from '#shared/status';
import type { SynthesisEngine } from './contract.ts';
import { SAMPLE_RATE } from './finish.ts';

const MS_PER_CHARACTER = 60;
const MAX_MS = 20_000;
const TONE_HZ = 440;

/** A voice for tests: immediate and deterministic, a tone as long as a person would need for the text. */
export function createFakeSynthesis(
  options: { status?: () => EngineStatus } = {},
): SynthesisEngine & { spoken: string[] } {
  const spoken: string[] = [];
  return {
    name: 'Fake voice',
    spoken,
    status: options.status ?? (() => ({ state: 'ready', message: 'The voice is ready.' })),
    async *synthesize({ text, signal }) {
      signal?.throwIfAborted();
      spoken.push(text);
      const ms = Math.min(MAX_MS, Math.max(1, [...text].length) * MS_PER_CHARACTER);
      const samples = new Float32Array(Math.round((SAMPLE_RATE * ms) / 1_000));
      for (let index = 0; index < samples.length; index++)
        samples[index] = 0.25 * Math.sin((2 * Math.PI * TONE_HZ * index) / SAMPLE_RATE);
      yield { text, samples, sampleRate: SAMPLE_RATE };
    },
    async close() {},
  };
}

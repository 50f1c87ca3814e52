/** Sound as a microphone gave it, or a voice made it. */
export interface Sound {
  /** Mono, from -1 to 1. Whoever holds the sound shares them: nobody may change them. */
  samples: Float32Array;
  /** Samples in a second: 8,000 to 48,000. */
  sampleRate: number;
}

/** Whole milliseconds that it lasts. */
export const durationMs = ({ samples, sampleRate }: Sound) =>
  Math.round((samples.length * 1_000) / sampleRate);

/** One sound of several, one after the other. @param parts at least one, all at one rate; a single one is given back */
export function joinSounds(parts: readonly Sound[]): Sound {
  const [first] = parts;
  if (!first) throw new RangeError('There is nothing to join.');
  if (parts.length === 1) return first;
  const samples = new Float32Array(parts.reduce((sum, part) => sum + part.samples.length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part.samples, at);
    at += part.samples.length;
  }
  return { samples, sampleRate: first.sampleRate };
}

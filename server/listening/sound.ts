import { HEARING_SAMPLE_RATE } from '#server/engines/recognition/contract';

export const toMs = (samples: number) => (samples * 1000) / HEARING_SAMPLE_RATE;
export const toSamples = (ms: number) => Math.round((ms * HEARING_SAMPLE_RATE) / 1000);

/** The most recent part of a stream of sound. Positions are in samples since the stream began. */
export class RecentSound {
  #chunks: { at: number; samples: Float32Array }[] = [];
  #end = 0;

  /** Position of the next sample. */
  get end(): number {
    return this.#end;
  }

  /** First position that is still kept. */
  get start(): number {
    return this.#chunks[0]?.at ?? this.#end;
  }

  /** Keeps the array itself, not a copy. */
  append(samples: Float32Array): void {
    this.#chunks.push({ at: this.#end, samples });
    this.#end += samples.length;
  }

  /** Drops sound before a position, in whole chunks. */
  forgetBefore(place: number): void {
    const kept = this.#chunks.findIndex(({ at, samples }) => at + samples.length > place);
    if (kept === -1) this.#chunks = [];
    else if (kept > 0) this.#chunks.splice(0, kept);
  }

  /** A copy of the kept sound between two positions. */
  slice(from: number, to: number): Float32Array {
    const first = Math.max(from, this.start);
    const copy = new Float32Array(Math.max(0, Math.min(to, this.#end) - first));
    for (const { at, samples } of this.#chunks) {
      if (at >= first + copy.length) break;
      const part = samples.subarray(Math.max(0, first - at), first + copy.length - at);
      if (part.length > 0) copy.set(part, Math.max(0, at - first));
    }
    return copy;
  }

  /** Returns a function that gives the last `ms` milliseconds before this moment. */
  upToNow(): (ms: number) => Float32Array {
    const now = this.#end;
    return (ms) => this.slice(now - toSamples(ms), now);
  }

  /**
   * End of the last 10 ms between two positions whose mean power exceeds `power`; `from` if there are none.
   */
  lastAbove(power: number, from: number, to: number): number {
    const block = toSamples(10);
    const samples = this.slice(from, to);
    for (let end = samples.length; end >= block; end -= block)
      if (meanPower(samples.subarray(end - block, end)) > power) return to - (samples.length - end);
    return from;
  }

  /** Middle of the quietest 100 ms between two positions: the best place to cut. */
  quietest(from: number, to: number): number {
    const window = toSamples(100);
    const samples = this.slice(from, to);
    let quietest = samples.length;
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at + window <= samples.length; at += window / 4) {
      const power = meanPower(samples.subarray(at, at + window));
      if (power < least) {
        least = power;
        quietest = at + window / 2;
      }
    }
    return Math.max(from, this.start) + Math.round(quietest);
  }
}

/** Mean of the squared samples. */
export function meanPower(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length === 0 ? 0 : sum / samples.length;
}

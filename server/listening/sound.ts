import { HEARING_SAMPLE_RATE } from '#server/engines/recognition/contract';

export const toMs = (samples: number) => (samples * 1000) / HEARING_SAMPLE_RATE;
export const toSamples = (ms: number) => Math.round((ms * HEARING_SAMPLE_RATE) / 1000);

/** The newest part of a stream of sound. Places in it are counted in samples since the stream began. */
export class RecentSound {
  #chunks: { at: number; samples: Float32Array }[] = [];
  #end = 0;

  /** Where the next sample will stand. */
  get end(): number {
    return this.#end;
  }

  /** The first place that is still kept. */
  get start(): number {
    return this.#chunks[0]?.at ?? this.#end;
  }

  /** Keeps the samples themselves, not a copy. */
  append(samples: Float32Array): void {
    this.#chunks.push({ at: this.#end, samples });
    this.#end += samples.length;
  }

  /** Lets go of what stands before a place, in whole chunks. */
  forgetBefore(place: number): void {
    const kept = this.#chunks.findIndex(({ at, samples }) => at + samples.length > place);
    if (kept === -1) this.#chunks = [];
    else if (kept > 0) this.#chunks.splice(0, kept);
  }

  /** A copy of what is kept between two places. */
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

  /** Gives the sound up to this moment, however much of its end is wanted. */
  upToNow(): (ms: number) => Float32Array {
    const now = this.#end;
    return (ms) => this.slice(now - toSamples(ms), now);
  }

  /** The end of the last 10 ms between two places whose mean power exceeds `power`; `from` when there are none. */
  lastAbove(power: number, from: number, to: number): number {
    const block = toSamples(10);
    const samples = this.slice(from, to);
    for (let end = samples.length; end >= block; end -= block)
      if (meanPower(samples.subarray(end - block, end)) > power) return to - (samples.length - end);
    return from;
  }

  /** The middle of the quietest 100 ms between two places: where a cut hurts least. */
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

/** Rates that are understood, in Hz. */
const LOWEST_RATE = 8_000;
const HIGHEST_RATE = 96_000;
/** Zero crossings of the filter to either side: 2 ms of delay at 16 kHz, an edge of 8 % of the lower rate. */
const CROSSINGS = 32;
/** Kaiser's parameter: 80 dB of what would be folded back is gone. */
const BETA = 8;
/** Where the filter halves the amplitude, in cycles a sample of the lower rate: its edge, by Kaiser's formula, ends at a half. */
const CUTOFF = 0.5 - 72 / (2.285 * 2 * CROSSINGS) / (2 * Math.PI) / 2;
const TABLE_STEPS = 256;
/** Positions between two samples that get a filter of their own; odd pairs of rates take the nearest. */
const MOST_PHASES = 512;
/** Pairs of rates whose filters are kept: making them takes some milliseconds, which a stream should not wait for. */
const BANKS_KEPT = 8;

/**
 * Changes the sample rate of a mono stream, piece by piece, by a windowed-sinc filter that keeps out what the lower rate
 * cannot carry (Oppenheim & Schafer, Discrete-Time Signal Processing, 4.6; Kaiser 1974). The pieces put end to end are the
 * same as if the whole had been given at once.
 */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #half: number;
  readonly #filters: readonly Float32Array[];
  /** The input that is still needed, from sample `#first` on; silence stands before the first one. */
  #kept: Float32Array;
  #first: number;
  #received = 0;
  /** The next output lies `#phase / #up` of a sample after input sample `#at`. */
  #at = 0;
  #phase = 0;
  #made = 0;

  /**
   * @param from rate of what comes, 8,000 to 96,000 Hz, a whole number
   * @param to rate of what is answered, likewise
   * @throws RangeError for another rate
   */
  constructor(from: number, to: number) {
    for (const rate of [from, to])
      if (!Number.isInteger(rate) || rate < LOWEST_RATE || rate > HIGHEST_RATE)
        throw new RangeError(`A sample rate must be from ${LOWEST_RATE} to ${HIGHEST_RATE} Hz.`);
    const divisor = greatestCommonDivisor(from, to);
    this.#up = to / divisor;
    this.#down = from / divisor;
    const { half, filters } = filterBank(from, to, this.#up);
    this.#half = half;
    this.#filters = filters;
    this.#kept = new Float32Array(half);
    this.#first = -half;
  }

  /** @returns what has become certain by these samples; the last 2 ms or so come with what follows */
  push(samples: Float32Array): Float32Array<ArrayBuffer> {
    this.#received += samples.length;
    return this.#run(samples, Number.POSITIVE_INFINITY);
  }

  /** Ends the stream. @returns the rest of it; all in all there are ⌊input × to / from⌋ samples */
  flush(): Float32Array<ArrayBuffer> {
    const whole = Math.floor((this.#received * this.#up) / this.#down);
    return this.#run(new Float32Array(this.#half + 1), whole);
  }

  #run(samples: Float32Array, most: number): Float32Array<ArrayBuffer> {
    const input = new Float32Array(this.#kept.length + samples.length);
    input.set(this.#kept);
    input.set(samples, this.#kept.length);
    const end = this.#first + input.length;
    const ahead = Math.max(0, end - this.#half - this.#at);
    const output = new Float32Array(Math.ceil((ahead * this.#up) / this.#down) + 1);
    let count = 0;
    while (this.#at + this.#half < end && this.#made < most) {
      output[count++] = this.#sampleAt(input, this.#at - this.#half + 1 - this.#first);
      this.#made++;
      this.#phase += this.#down;
      this.#at += Math.floor(this.#phase / this.#up);
      this.#phase %= this.#up;
    }
    const needed = Math.max(this.#first, Math.min(end, this.#at - this.#half));
    this.#kept = input.slice(needed - this.#first);
    this.#first = needed;
    return output.slice(0, count);
  }

  #sampleAt(input: Float32Array, from: number): number {
    if (this.#half === 0) return input[from - 1] ?? 0;
    const filter = this.#filters[Math.floor((this.#phase * this.#filters.length) / this.#up)];
    if (!filter) return 0;
    let sum = 0;
    for (let tap = 0; tap < filter.length; tap++) sum += (filter[tap] ?? 0) * (input[from + tap] ?? 0);
    return sum;
  }
}

/** Changes the rate of a whole sound; see Resampler. */
export function resample(samples: Float32Array, from: number, to: number): Float32Array<ArrayBuffer> {
  const resampler = new Resampler(from, to);
  const start = resampler.push(samples);
  const rest = resampler.flush();
  const whole = new Float32Array(start.length + rest.length);
  whole.set(start);
  whole.set(rest, start.length);
  return whole;
}

interface FilterBank {
  /** Input samples to either side that a filter reaches. */
  half: number;
  /** One for every position between two input samples; each sums to one, so that loudness stays. */
  filters: readonly Float32Array[];
}

const banks = new Map<string, FilterBank>();

function filterBank(from: number, to: number, up: number): FilterBank {
  const key = `${from}/${to}`;
  const known = banks.get(key);
  if (known) return known;
  const bank = from === to ? { half: 0, filters: [Float32Array.of(1)] } : makeBank(from, to, up);
  const [oldest] = banks.keys();
  if (banks.size >= BANKS_KEPT && oldest !== undefined) banks.delete(oldest);
  banks.set(key, bank);
  return bank;
}

function makeBank(from: number, to: number, up: number): FilterBank {
  /** Samples of the lower rate for each input sample. */
  const scale = Math.min(from, to) / from;
  const half = Math.ceil(CROSSINGS / scale);
  const phases = Math.min(up, MOST_PHASES);
  const filters = Array.from({ length: phases }, (_, phase) => {
    const taps = new Float32Array(2 * half);
    let sum = 0;
    for (let tap = 0; tap < taps.length; tap++) {
      const weight = prototype(Math.abs(tap - half + 1 - phase / phases) * scale);
      taps[tap] = weight;
      sum += weight;
    }
    return taps.map((weight) => weight / sum);
  });
  return { half, filters };
}

let table: Float32Array | null = null;

/** The filter that all rates share, `distance` samples of the lower rate from its middle, out of a table. */
function prototype(distance: number): number {
  table ??= Float32Array.from({ length: CROSSINGS * TABLE_STEPS + 2 }, (_, index) => {
    const at = index / TABLE_STEPS;
    return sinc(2 * CUTOFF * at) * kaiser(at / CROSSINGS);
  });
  const position = distance * TABLE_STEPS;
  const before = Math.floor(position);
  const a = table[before] ?? 0;
  return a + ((table[before + 1] ?? 0) - a) * (position - before);
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

const kaiser = (x: number) => (Math.abs(x) >= 1 ? 0 : bessel(BETA * Math.sqrt(1 - x * x)) / bessel(BETA));

/** Modified Bessel function of the first kind and order 0, by its series. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

import { API_URL } from '#web/lib/server/api-url';

/** The outline of a recording. */
export interface Waveform {
  /** Loudness from beginning to end: 0 to 1, the loudest part 1. */
  bars: readonly number[];
  /** Its length. */
  seconds: number;
}

/** Hertz: enough for the outline of speech. Browsers decode to any rate. */
const DECODED_RATE = 8_000;
/** Ten minutes of uncompressed speech; larger recordings get no picture. */
const MAX_BYTES = 20_000_000;
const AT_ONCE = 2;
const KEPT = 400;
const BARS_PER_SECOND = 9;
const FEWEST_BARS = 14;
const MOST_BARS = 72;
/** Peaks below this are the noise of a quiet room and are not amplified. */
const QUIET = 0.04;

/** By the recording's path, whose content never changes. */
const known = new Map<string, Waveform>();
const waiting: (() => void)[] = [];
let running = 0;

/** The number of bars for a recording of this many seconds. */
export const barCount = (seconds: number) =>
  Math.round(Math.min(MOST_BARS, Math.max(FEWEST_BARS, seconds * BARS_PER_SECOND)));

/** The known outline of a recording. */
export const knownWaveform = (link: string): Waveform | null => known.get(pathOf(link)) ?? null;

/**
 * Loads a recording and computes its outline, a few at a time: the player then finds it in the browser's cache.
 * @param link relative to the API's host
 * @param renew a new link for an expired one, or null
 * @throws if it cannot be loaded or decoded, or is too large; the signal's reason when aborted
 */
export async function loadWaveform(
  link: string,
  renew: () => Promise<string | null>,
  signal: AbortSignal,
): Promise<Waveform> {
  const path = pathOf(link);
  const found = known.get(path);
  if (found) return found;
  await turn(signal);
  try {
    const sound = await decode(await fetchRecording(link, renew, signal, MAX_BYTES), DECODED_RATE);
    const waveform = {
      bars: outline(sound.getChannelData(0), barCount(sound.duration)),
      seconds: sound.duration,
    };
    known.set(path, waveform);
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
    return waveform;
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/**
 * The bytes of a recording.
 * @throws if neither its link nor a renewed one works, or it is larger than `maxBytes`
 */
export async function fetchRecording(
  link: string,
  renew: () => Promise<string | null>,
  signal: AbortSignal,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<ArrayBuffer> {
  let response = await fetch(absolute(link), { signal });
  if (response.status === 403) {
    const newer = await renew();
    if (newer) response = await fetch(absolute(newer), { signal });
  }
  if (!response.ok) throw new Error(`The recording was answered with ${response.status}.`);
  if (Number(response.headers.get('content-length')) > maxBytes) {
    void response.body?.cancel();
    throw new Error('The recording is too large.');
  }
  return response.arrayBuffer();
}

/** @param rate target samples a second */
export const decode = (bytes: ArrayBuffer, rate: number): Promise<AudioBuffer> =>
  new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes);

/** The loudness of `count` equal parts relative to the loudest. */
export function outline(samples: Float32Array, count: number): number[] {
  const bars: number[] = [];
  for (let bar = 0; bar < count; bar++) {
    const from = Math.floor((bar * samples.length) / count);
    const until = Math.floor(((bar + 1) * samples.length) / count);
    let energy = 0;
    for (let at = from; at < until; at++) energy += (samples[at] ?? 0) ** 2;
    bars.push(Math.sqrt(energy / Math.max(1, until - from)));
  }
  const loudest = Math.max(QUIET, ...bars);
  return bars.map((value) => value / loudest);
}

async function turn(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (running >= AT_ONCE)
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      waiting.push(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  running += 1;
}

const absolute = (link: string) => new URL(link, API_URL || window.location.origin);
const pathOf = (link: string) => absolute(link).pathname;

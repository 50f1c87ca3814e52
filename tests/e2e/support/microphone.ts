import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resample } from '#server/audio/resampler';
import { encodeWav } from '#server/audio/wav';
import { doorSlam, inNoise, joined, keyClicks, pinkNoise, roomTone, silence } from '../../speech/sounds.ts';
import { CLIP_RATE, clipNamed, soundOf } from '../../speech/speech-set.ts';

/** Chromium's fake microphone: what it is played at, in Hz. */
const MICROPHONE_RATE = 48_000;

/** One after the other: a clip of the speech set by its id, a quiet room for so long, or a noise. */
export type MicrophonePart =
  | { clip: string; noiseDb?: number }
  | { pauseMs: number }
  | { noise: 'door slam' | 'key clicks' | 'pink noise'; ms?: number };

export interface Microphone {
  /** For `launchBrowser({ args })`: this recording is what the page's microphone hears, from the moment it is opened. */
  args: string[];
  /** Path of the WAV file: 48 kHz, mono, 16 bits. */
  file: string;
  durationMs: number;
  /** When each part begins, in ms since the microphone was opened. */
  startsMs: number[];
  /** When the speech of each part truly ends; of a pause or noise when it ends. */
  endsMs: number[];
  remove(): Promise<void>;
}

/** The quiet before the first part: a page takes a moment from opening its microphone to listening. */
const LEAD_IN_MS = 1_500;
/** The quiet after the last part. Chromium is told not to begin again, but the microphone stays silent only so long as this. */
const LEAD_OUT_MS = 60_000;

/**
 * Writes what a page's microphone will hear. The same parts give the same file.
 * @throws Error when the speech set has no clip of a name
 */
export async function microphoneOf(
  parts: readonly MicrophonePart[],
  { leadInMs = LEAD_IN_MS, leadOutMs = LEAD_OUT_MS } = {},
): Promise<Microphone> {
  const sounds = [silence(leadInMs)];
  const startsMs: number[] = [];
  const endsMs: number[] = [];
  let atMs = leadInMs;
  for (const [index, part] of parts.entries()) {
    const sound = await soundOfPart(part, index + 1);
    const durationMs = (sound.length * 1_000) / CLIP_RATE;
    startsMs.push(atMs);
    endsMs.push(Math.round(atMs + ('clip' in part ? clipNamed(part.clip).endMs : durationMs)));
    sounds.push(sound);
    atMs += durationMs;
  }
  const played = joined(...sounds, silence(leadOutMs));
  const room = roomTone((played.length * 1_000) / CLIP_RATE, 1);
  const heard = played.map((sample, index) => sample + (room[index] ?? 0));
  const folder = await mkdtemp(join(tmpdir(), 'sigma-microphone-'));
  const file = join(folder, 'microphone.wav');
  await writeFile(file, encodeWav(resample(heard, CLIP_RATE, MICROPHONE_RATE), MICROPHONE_RATE));
  return {
    args: [`--use-file-for-fake-audio-capture=${file}%noloop`],
    file,
    durationMs: Math.round((heard.length * 1_000) / CLIP_RATE),
    startsMs: startsMs.map(Math.round),
    endsMs,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function soundOfPart(part: MicrophonePart, seed: number): Promise<Float32Array> {
  if ('pauseMs' in part) return silence(part.pauseMs);
  if ('clip' in part) {
    const speech = await soundOf(clipNamed(part.clip));
    if (part.noiseDb === undefined) return speech;
    return inNoise(speech, pinkNoise((speech.length * 1_000) / CLIP_RATE, seed), part.noiseDb);
  }
  if (part.noise === 'door slam') return doorSlam(seed);
  const ms = part.ms ?? 2_000;
  return part.noise === 'key clicks' ? keyClicks(ms, seed) : pinkNoise(ms, seed);
}

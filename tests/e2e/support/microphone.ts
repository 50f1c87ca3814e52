import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { toPcm16 } from '#server/audio/pcm16';
import { resample } from '#server/audio/resampler';
import { encodeWav } from '#server/audio/wav';
import { doorSlam, inNoise, joined, keyClicks, pinkNoise, roomTone, silence } from '../../speech/sounds.ts';
import { CLIP_RATE, clipNamed, soundOf } from '../../speech/speech-set.ts';

/** Chromium's fake microphone: what it is played at, in Hz. */
const MICROPHONE_RATE = 48_000;

/** A clip of the speech set by its id, quiet for so many milliseconds, or a noise. */
export type MicrophonePart =
  | string
  | number
  | { clip: string; noiseDb?: number }
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
    const clip = clipOf(part);
    endsMs.push(Math.round(atMs + (clip === null ? durationMs : clipNamed(clip).endMs)));
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

declare global {
  interface Window {
    sigmaMicrophones: MediaStream[];
    sigmaSpeak: (pcm: string, sampleRate: number) => Promise<void>;
  }
}

/** Remembers every microphone the page opens; `openMicrophones` counts those that are still on. */
export async function watchMicrophones(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.sigmaMicrophones = [];
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      window.sigmaMicrophones.push(stream);
      return stream;
    };
  });
}

export const openMicrophones = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      window.sigmaMicrophones.filter((stream) =>
        stream.getTracks().some((track) => track.readyState === 'live'),
      ).length,
  );

/** Gives the pages of this context a microphone that hears what `speak` says, when it says it. */
export async function microphoneOnDemand(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    let room: { audio: AudioContext; microphone: MediaStreamAudioDestinationNode } | null = null;
    const enter = () => {
      if (!room) {
        const audio = new AudioContext();
        room = { audio, microphone: audio.createMediaStreamDestination() };
      }
      return room;
    };
    navigator.mediaDevices.getUserMedia = async () => enter().microphone.stream.clone();
    window.sigmaSpeak = async (pcm, sampleRate) => {
      const { audio, microphone } = enter();
      const bytes = Uint8Array.from(atob(pcm), (character) => character.charCodeAt(0));
      const samples = Float32Array.from(new Int16Array(bytes.buffer), (sample) => sample / 32_768);
      const buffer = audio.createBuffer(1, samples.length, sampleRate);
      buffer.copyToChannel(samples, 0);
      const source = audio.createBufferSource();
      source.buffer = buffer;
      source.connect(microphone);
      await new Promise<void>((resolve) => {
        source.addEventListener('ended', () => resolve());
        source.start();
      });
    };
  });
}

/** Says something into the microphone on demand; resolves when it has been said. */
export async function speak(page: Page, parts: readonly MicrophonePart[]): Promise<void> {
  const sounds = await Promise.all(parts.map((part, index) => soundOfPart(part, index + 1)));
  const pcm = Buffer.from(toPcm16(joined(...sounds))).toString('base64');
  await page.evaluate(([base64, rate]) => window.sigmaSpeak(String(base64), Number(rate)), [pcm, CLIP_RATE]);
}

function clipOf(part: MicrophonePart): string | null {
  if (typeof part === 'string') return part;
  return typeof part === 'object' && 'clip' in part ? part.clip : null;
}

async function soundOfPart(part: MicrophonePart, seed: number): Promise<Float32Array> {
  if (typeof part === 'number') return silence(part);
  if (typeof part === 'string') return soundOf(clipNamed(part));
  if ('clip' in part) {
    const speech = await soundOf(clipNamed(part.clip));
    if (part.noiseDb === undefined) return speech;
    return inNoise(speech, pinkNoise((speech.length * 1_000) / CLIP_RATE, seed), part.noiseDb);
  }
  if (part.noise === 'door slam') return doorSlam(seed);
  const ms = part.ms ?? 2_000;
  return part.noise === 'key clicks' ? keyClicks(ms, seed) : pinkNoise(ms, seed);
}

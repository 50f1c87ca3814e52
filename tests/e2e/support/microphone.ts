import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { toPcm16 } from '#server/audio/pcm16';
import { resample } from '#server/audio/resampler';
import { encodeWav } from '#server/audio/wav';
import { doorSlam, inNoise, joined, keyClicks, pinkNoise, roomTone, silence } from '../../speech/sounds.ts';
import { CLIP_RATE, clipNamed, soundOf } from '../../speech/speech-set.ts';

/** Playback rate of Chromium's fake microphone, in Hz. */
const MICROPHONE_RATE = 48_000;

/** A clip of the speech set by its id, a silence of this many milliseconds, or a noise. */
type MicrophonePart =
  | string
  | number
  | { clip: string; noiseDb?: number }
  | { noise: 'door slam' | 'key clicks' | 'pink noise'; ms?: number };

interface Microphone {
  /** For `launchBrowser({ args })`. */
  args: string[];
  remove(): Promise<void>;
}

/** The browser's microphone in a quiet room, longer than any test. */
export async function quietMicrophone(): Promise<Microphone> {
  const folder = await mkdtemp(join(tmpdir(), 'sigma-microphone-'));
  const file = join(folder, 'microphone.wav');
  await writeFile(
    file,
    encodeWav(resample(roomTone(10_000, 1), CLIP_RATE, MICROPHONE_RATE), MICROPHONE_RATE),
  );
  return {
    args: [`--use-file-for-fake-audio-capture=${file}`],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

declare global {
  interface Window {
    sigmaMicrophones: MediaStream[];
    sigmaSpeak: (pcm: string, sampleRate: number) => Promise<void>;
  }
}

/** Records every microphone the page opens; `openMicrophones` counts those still on. */
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

/** Gives the pages of this context a microphone that gets the sound of `speak` on demand. */
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

/** Says words into the microphone on demand; resolves when they have been said. */
export async function speak(page: Page, parts: readonly MicrophonePart[]): Promise<void> {
  const sounds = await Promise.all(parts.map((part, index) => soundOfPart(part, index + 1)));
  const pcm = Buffer.from(toPcm16(joined(...sounds))).toString('base64');
  await page.evaluate(([base64, rate]) => window.sigmaSpeak(String(base64), Number(rate)), [pcm, CLIP_RATE]);
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

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { CLIP_RATE, clipNamed, soundOf } from '../../speech/speech-set.ts';

/** What somebody says into a microphone: clips of the speech set by name, and silence in milliseconds. */
export type Said = readonly (string | number)[];

/** A WAV file that Chromium takes for a microphone, from its beginning whenever the microphone is opened. */
export interface MicrophoneFile {
  /** For `launchBrowser`. */
  args: string[];
  remove(): Promise<void>;
}

export async function microphoneFile(said: Said): Promise<MicrophoneFile> {
  const dir = await mkdtemp(join(tmpdir(), 'sigma-microphone-'));
  const path = join(dir, 'microphone.wav');
  await writeFile(path, toWav(await soundOfAll(said)));
  return {
    args: [`--use-file-for-fake-audio-capture=${path}%noloop`],
    remove: () => rm(dir, { recursive: true, force: true }),
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
export async function speak(page: Page, said: Said): Promise<void> {
  const pcm = toPcm16(await soundOfAll(said)).toString('base64');
  await page.evaluate(([base64, rate]) => window.sigmaSpeak(String(base64), Number(rate)), [pcm, CLIP_RATE]);
}

async function soundOfAll(said: Said): Promise<Float32Array> {
  const parts = await Promise.all(
    said.map((part) =>
      typeof part === 'number' ? new Float32Array((part / 1_000) * CLIP_RATE) : soundOf(clipNamed(part)),
    ),
  );
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function toPcm16(samples: Float32Array): Buffer {
  const pcm = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => {
    pcm.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), index * 2);
  });
  return pcm;
}

function toWav(samples: Float32Array): Buffer {
  const data = toPcm16(samples);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(CLIP_RATE, 24);
  header.writeUInt32LE(CLIP_RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

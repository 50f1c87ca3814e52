import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** The Chromium to drive, or null with the reason in the skipped suite's name. */
export const chromiumPath =
  [process.env.SIGMA_TEST_CHROMIUM, '/usr/bin/chromium'].find((path) => path && existsSync(path)) ?? null;

export function launchBrowser(options: { args?: string[] } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? undefined,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
      ...(options.args ?? []),
    ],
  });
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Errors of the page itself: uncaught exceptions and console errors. A test ends by expecting none. */
  errors: string[];
}

/**
 * Opens a page that records what it plays and what goes wrong in it. Nothing moves in it, unless a test says otherwise:
 * without a graphics card, drawing the movements of a call takes half a processor from the voices that are heard.
 */
export async function visit(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  // A loaded machine is slow, not wrong.
  context.setDefaultTimeout(120_000);
  await context.addInitScript(recordLoudspeaker);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { context, page, errors };
}

declare global {
  interface Window {
    sigmaHeard: { chunks: Float32Array[]; sampleRate: number };
  }
  /** Of Chromium; TypeScript does not know it yet. */
  class MediaStreamTrackProcessor {
    constructor(options: { track: MediaStreamTrack; maxBufferSize: number });
    readonly readable: ReadableStream<AudioData>;
  }
}

/** Runs in the page: everything that is connected to a loudspeaker is recorded too. */
function recordLoudspeaker(): void {
  window.sigmaHeard = { chunks: [], sampleRate: 0 };
  const taps = new WeakMap<BaseAudioContext, AudioNode>();
  const tapOf = (context: AudioContext) => {
    const known = taps.get(context);
    if (known) return known;
    const tap = context.createMediaStreamDestination();
    taps.set(context, tap);
    for (const track of tap.stream.getAudioTracks()) void record(track);
    return tap;
  };
  const record = async (track: MediaStreamTrack) => {
    // What comes while the page is busy waits: half a minute of it, in pieces of 10 ms.
    const { readable } = new MediaStreamTrackProcessor({ track, maxBufferSize: 3_000 });
    const reader = readable.getReader();
    for (let { value } = await reader.read(); value; { value } = await reader.read()) {
      const samples = new Float32Array(value.numberOfFrames);
      value.copyTo(samples, { planeIndex: 0, format: 'f32-planar' });
      window.sigmaHeard.sampleRate = value.sampleRate;
      window.sigmaHeard.chunks.push(samples);
      value.close();
    }
  };
  const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode) => AudioNode;
  const patched = function (this: AudioNode, to: AudioNode | AudioParam, ...rest: number[]) {
    if (to instanceof AudioDestinationNode && this.context instanceof AudioContext)
      connect.call(this, tapOf(this.context));
    return Reflect.apply(connect, this, [to, ...rest]);
  };
  AudioNode.prototype.connect = patched as typeof AudioNode.prototype.connect;
}

/** What a page played: mono, -1 to 1. */
export interface Heard {
  samples: Float32Array;
  sampleRate: number;
}

/** Everything the page played since it was loaded or since the last call. */
export async function takeHeard(page: Page): Promise<Heard> {
  const { base64, sampleRate } = await page.evaluate(() => {
    const chunks = window.sigmaHeard.chunks.splice(0);
    const pcm = new Int16Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let at = 0;
    for (const chunk of chunks)
      for (const sample of chunk) pcm[at++] = Math.max(-1, Math.min(1, sample)) * 32_767;
    const bytes = new Uint8Array(pcm.buffer);
    let binary = '';
    for (let i = 0; i < bytes.length; i += 32_768)
      binary += String.fromCharCode(...bytes.subarray(i, i + 32_768));
    return { base64: btoa(binary), sampleRate: window.sigmaHeard.sampleRate };
  });
  const bytes = Buffer.from(base64, 'base64');
  const pcm = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return { samples: Float32Array.from(pcm, (value) => value / 32_768), sampleRate };
}

/** Keeps a picture of the page for people to look at, in test-results/ (not in the repository). */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir('test-results', { recursive: true });
  await page.screenshot({ path: `test-results/${name}.png` });
}

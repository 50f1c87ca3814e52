import type { BrowserContext, Page } from 'playwright-core';

const LOOK_EVERY_MS = 100;

/**
 * Makes the hidden audio elements of a live room part of `takeHeard`'s recording, which otherwise covers only the Web
 * Audio API.
 */
export async function listenToRoom(context: BrowserContext): Promise<void> {
  await context.addInitScript((every) => {
    const known = new WeakSet<MediaStream>();
    let output: AudioContext | null = null;
    setInterval(() => {
      for (const { srcObject } of document.querySelectorAll('audio')) {
        if (!(srcObject instanceof MediaStream) || known.has(srcObject)) continue;
        known.add(srcObject);
        output ??= new AudioContext();
        output.createMediaStreamSource(srcObject).connect(output.destination);
      }
    }, every);
  }, LOOK_EVERY_MS);
}

/**
 * Resolves when the page plays the sound of this many others, including the agent: a person is shown a moment before
 * their microphone is connected, and their words until then are lost.
 */
export async function hearsOthers(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (others) =>
      [...document.querySelectorAll('audio')].filter(
        ({ srcObject }) =>
          srcObject instanceof MediaStream &&
          srcObject.getAudioTracks().some(({ readyState }) => readyState === 'live'),
      ).length >= others,
    count,
  );
}

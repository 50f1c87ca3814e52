import type { BrowserContext, Page } from 'playwright-core';

const LOOK_EVERY_MS = 100;

/**
 * Makes what the hidden audio elements of a live room play part of what `takeHeard` records, which otherwise knows only
 * what goes through the Web Audio API.
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
 * Resolves when the page plays what so many others say, the agent among them: somebody is shown a moment before their
 * microphone is there, and what they say until then nobody hears.
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

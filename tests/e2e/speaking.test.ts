import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath, launchBrowser, picture, takeHeard, type Visit, visit } from './support/browser.ts';
import { soundsLike } from './support/hearing.ts';
import { earsReady, openCall, register, tokenOf, transcript, wholeReply } from './support/journey.ts';
import {
  microphoneOnDemand,
  openMicrophones,
  quietMicrophone,
  speak,
  watchMicrophones,
} from './support/microphone.ts';
import { type RunningServer, startServer } from './support/server.ts';

const models = process.env.SIGMA_TEST_MODELS;
const hasEars = models !== undefined && existsSync(join(models, 'hearing'));
/** "What time do you open on Sunday?", by a voice that is not the product's. */
const QUESTION = 'd-sentence-02';
const ASKED = /what time do you open on sunday/i;
const ANSWERED = /sunday/i;

describe.skipIf(!chromiumPath || !hasEars)(
  'speaking with an agent (skipped where no Chromium or no ears are)',
  () => {
    let server: RunningServer;
    let browser: Browser;
    let people = 0;
    let current: Visit;

    beforeAll(async () => {
      [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    });
    afterEach(() => current?.context.close());
    afterAll(async () => {
      await browser?.close();
      await server?.stop();
    });

    /** A new person in a call, whose microphone gets the sound of `speak`. */
    async function call(options?: Parameters<typeof visit>[2]): Promise<Page> {
      return callIn(
        browser,
        async (context) => {
          await microphoneOnDemand(context);
          await watchMicrophones(context);
        },
        options,
      );
    }

    async function callIn(
      where: Browser,
      prepare: (context: Visit['context']) => Promise<void>,
      options?: Parameters<typeof visit>[2],
    ): Promise<Page> {
      current = await visit(where, server.url, options);
      await prepare(current.context);
      people += 1;
      await register(current.page, `Caller ${people}`);
      await earsReady(current.page, server.url);
      await openCall(current.page);
      return current.page;
    }

    it('push to talk: what was said becomes a message, is answered aloud, and is kept', async () => {
      const page = await call({ reducedMotion: 'no-preference' });
      const toggle = microphoneToggle(page);
      await toggle.click();
      await expect.poll(() => toggle.getAttribute('aria-pressed')).toBe('true');
      await expect.poll(() => page.locator('[data-mic-ring]').count()).toBeGreaterThan(1);
      await page.getByPlaceholder('Type your message...').fill('not now');
      expect(await page.getByRole('button', { name: 'Send message' }).isDisabled()).toBe(true);
      await page.getByPlaceholder('Type your message...').fill('');
      const hearing = stage(page).getByText('Hearing you', { exact: true });
      await Promise.all([hearing.waitFor(), speak(page, [300, QUESTION, 800])]);
      await hearing.waitFor({ state: 'hidden' });
      await picture(page, 'push-to-talk');
      await takeHeard(page);
      await toggle.click();
      await own(page).filter({ hasText: ASKED }).waitFor();
      await expect.poll(() => openMicrophones(page)).toBe(0);
      await answers(page, ANSWERED);
      await soundsLikeTheAnswer(page);
      await page.getByRole('button', { name: 'End Call' }).click();
      await page.waitForURL('**/conversations/*');
      await page.getByText(ASKED).first().waitFor();
      await expect
        .poll(() => recordingsOf(page, server.url))
        .toEqual({ customer: 1, agent: expect.toSatisfy((count: number) => count > 0) });
      expect(unexpected(current.errors)).toEqual([]);
    });

    it('hands-free: the end of a question is noticed and it is answered aloud', async () => {
      const page = await call();
      await talkHandsFree(page);
      await Promise.all([said(page, /time|open|sunday/i), speak(page, [300, QUESTION, 800])]);
      await picture(page, 'hands-free');
      await own(page).filter({ hasText: ASKED }).waitFor();
      await answers(page, ANSWERED);
      await soundsLikeTheAnswer(page);
      expect(await own(page).count()).toBe(1);
      expect(await openMicrophones(page)).toBe(1);
      await page.getByRole('button', { name: 'Hang up the microphone' }).click();
      await expect.poll(() => openMicrophones(page)).toBe(0);
      await page.getByRole('button', { name: 'Talk hands-free' }).waitFor();
      expect(unexpected(current.errors)).toEqual([]);
    });

    it('interrupting: the agent falls silent, and only what was heard is kept of its reply', async () => {
      const page = await call();
      await talkHandsFree(page);
      await speak(page, [300, QUESTION, 800]);
      await answers(page, ANSWERED);
      await speaking(page);
      await speak(page, ['d-interruption-02', 600]);
      await transcript(page).getByText('Interrupted', { exact: true }).waitFor();
      await picture(page, 'interrupted');
    });

    it('an "okay" interrupts nothing: the agent says its sentence to the end', async () => {
      const page = await call();
      await talkHandsFree(page);
      await speak(page, [300, QUESTION, 800]);
      await answers(page, ANSWERED);
      await speaking(page);
      await speak(page, ['d-backchannel-03', 600]);
      await stage(page).getByRole('status').getByText('Listening', { exact: true }).waitFor();
      expect(await transcript(page).getByText('Interrupted', { exact: true }).count()).toBe(0);
      expect(await own(page).count()).toBe(1);
    });

    it('a denied microphone is told in the words of the specification, and typing goes on', async () => {
      const denying = await launchBrowser({ args: ['--use-fake-ui-for-media-stream=deny'] });
      onTestFinished(() => denying.close());
      const page = await callIn(denying, watchMicrophones);
      await microphoneToggle(page).click();
      await page
        .getByRole('alert')
        .getByText('Could not access microphone. Please check your permissions.', { exact: true })
        .waitFor();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await picture(page, 'microphone-denied');
      await page.getByPlaceholder('Type your message...').fill('What time do you open on Sunday?');
      await page.keyboard.press('Enter');
      await answers(page, ANSWERED);
    });

    it('nothing but silence sends nothing', async () => {
      const quiet = await quietMicrophone();
      const browserInAQuietRoom = await launchBrowser({ args: quiet.args });
      onTestFinished(async () => {
        await browserInAQuietRoom.close();
        await quiet.remove();
      });
      const page = await callIn(browserInAQuietRoom, watchMicrophones);
      await microphoneToggle(page).click();
      await expect.poll(() => openMicrophones(page)).toBe(1);
      await page.waitForTimeout(1_500);
      await microphoneToggle(page).click();
      await page.getByText('I did not catch that. Please try again, or type it.').waitFor();
      expect(await own(page).count()).toBe(0);
    });
  },
);

const stage = (page: Page) => page.getByRole('region', { name: 'Agent' });
const microphoneToggle = (page: Page) => page.getByRole('button', { name: 'Microphone', exact: true });

/** The customer's messages, without the forming one. */
const own = (page: Page) =>
  transcript(page)
    .getByRole('listitem')
    .filter({ has: page.getByText('You', { exact: true }), hasNot: page.locator('[data-forming]') });

async function talkHandsFree(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Talk hands-free' }).click();
  await stage(page).getByText('Listening', { exact: true }).first().waitFor();
}

/** Waits until the forming message contains this. */
async function said(page: Page, words: RegExp): Promise<void> {
  await page.locator('[data-forming]').filter({ hasText: words }).waitFor();
}

/** Waits for a reply after the welcome that contains this. */
async function answers(page: Page, words: RegExp): Promise<void> {
  const replies = transcript(page)
    .getByRole('listitem')
    .filter({ has: page.getByText('Sigma', { exact: true }) });
  await replies.filter({ hasText: words }).last().waitFor();
}

async function speaking(page: Page): Promise<void> {
  await stage(page).getByText('Speaking', { exact: true }).waitFor();
}

/** Listens until the agent has said the whole reply. */
async function soundsLikeTheAnswer(page: Page): Promise<void> {
  await expect.poll(() => wholeReply(page).textContent()).toMatch(ANSWERED);
  await soundsLike(page, (await wholeReply(page).textContent()) ?? '');
}

/** How many messages of each side can be heard again in the conversation that is open. */
async function recordingsOf(page: Page, url: string): Promise<{ customer: number; agent: number }> {
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const response = await fetch(`${url}/api/conversations/${id}`, {
    headers: { authorization: `Bearer ${await tokenOf(page)}` },
  });
  const { messages }: { messages: { role: string; audioUrl?: string }[] } = await response.json();
  const count = (role: string) => messages.filter((each) => each.role === role && each.audioUrl).length;
  return { customer: count('user'), agent: count('assistant') };
}

/** Chromium reports refused addresses by itself. */
const unexpected = (errors: string[]) => errors.filter((error) => !/status of 40[14]/.test(error));

import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser, picture, type Visit, visit } from './support/browser.ts';
import { ask, makeAgent, register } from './support/journey.ts';
import { type RunningServer, startServer, withoutSpeech } from './support/server.ts';

const question = 'Do you sell live penguins?';

describe.skipIf(!chromiumPath)('unanswered questions (skipped where no Chromium is)', () => {
  let server: RunningServer;
  let browser: Browser;
  let desk: Visit;
  let page: Page;

  beforeAll(async () => {
    server = await startServer({ env: withoutSpeech });
    browser = await launchBrowser();
    desk = await visit(browser, server.url);
    page = desk.page;
    await register(page);
    await makeAgent(page, server.url);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('come up once an agent could not answer', async () => {
    await callLuna(page);
    await ask(page, question);
    await page.getByRole('button', { name: 'End Call' }).click();
    await page.waitForURL('**/agents');
    await page.goto('/dashboard');
    await page.getByText('1 question waits for your answer.').waitFor();
    await page.getByRole('link', { name: /^Unanswered questions/ }).click();
    await page.getByRole('article', { name: question }).getByText('Asked once').waitFor();
  });

  it('lead to their conversations', async () => {
    await page.getByRole('button', { name: '1 conversation' }).click();
    const list = page.getByRole('article', { name: question });
    await list.getByRole('link').first().click();
    await page.waitForURL('**/conversations/*');
    await page.getByText('Not in the information').waitFor();
    await page.goBack();
    await page.getByRole('article', { name: question }).waitFor();
  });

  it('are answered by a person, and then by the agent', async () => {
    await page.getByRole('button', { name: 'Write the answer' }).click();
    await page.getByLabel('Your answer').fill('No, we sell no live penguins, only bicycles for 499 dollars.');
    await page.getByRole('button', { name: 'Save the answer' }).click();
    const result = page.getByRole('region', { name: 'Saved. Luna now says:' });
    await expect.poll(() => result.textContent()).toMatch(/penguins|499/);
    await picture(page, 'unanswered-saved');
    await callLuna(page);
    expect(await ask(page, question)).toMatch(/penguins|499/);
    await page.getByRole('button', { name: 'End Call' }).click();
    await page.waitForURL('**/agents');
    await page.goto('/unanswered');
    await page.getByText('Every question is answered').waitFor();
  });

  it('have a page that everybody can use, on a phone too', async () => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze();
      expect(violations).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    expect(desk.errors).toEqual([]);
  });
});

async function callLuna(page: Page): Promise<void> {
  await page.goto('/agents');
  await page.getByRole('button', { name: 'Start Call' }).click();
  await page.waitForURL('**/calls/Luna');
  await page.getByRole('region', { name: 'Transcript' }).getByText('Harbor Lane Cycles').first().waitFor();
}

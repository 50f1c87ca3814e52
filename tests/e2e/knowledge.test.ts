import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPdf } from '../support/made-files.ts';
import { chromiumPath, launchBrowser, picture, type Visit, visit } from './support/browser.ts';
import { ask, makeAgent, register } from './support/journey.ts';
import { type RunningServer, startServer, withoutSpeech } from './support/server.ts';

const terms = aPdf([
  [
    { text: 'Returns', size: 20, y: 760 },
    { text: 'You can send a bicycle back within 45 days.', y: 730 },
  ],
]);

describe.skipIf(!chromiumPath)('an agent’s documents (skipped where no Chromium is)', () => {
  let server: RunningServer;
  let browser: Browser;
  let desk: Visit;
  let page: Page;
  let agentId = '';

  beforeAll(async () => {
    server = await startServer({ env: withoutSpeech });
    browser = await launchBrowser();
    desk = await visit(browser, server.url);
    page = desk.page;
    await register(page);
    agentId = await makeAgent(page, server.url);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const knowledge = () => page.getByRole('region', { name: 'Knowledge' });

  it('are added as files and as text, and say when one cannot be read', async () => {
    await page.goto(`/agents/edit/${agentId}`);
    await knowledge().getByText('Nothing to read yet').waitFor();
    await knowledge()
      .getByLabel('Files to read')
      .setInputFiles([
        { name: 'terms.pdf', mimeType: 'application/pdf', buffer: Buffer.from(terms) },
        { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 nothing') },
      ]);
    await knowledge().getByRole('link', { name: 'terms' }).waitFor();
    await knowledge().getByText('This file is broken').waitFor();
    await knowledge().getByRole('button', { name: 'Paste text' }).click();
    await page.getByLabel('Title').fill('Parking');
    await page
      .getByLabel('Text', { exact: true })
      .fill('The car park behind the shop is free for two hours.');
    await page.getByRole('button', { name: 'Add text' }).click();
    await knowledge().getByRole('link', { name: 'Parking' }).waitFor();
    await expect.poll(() => knowledge().getByText('Reading').count(), { timeout: 20_000 }).toBe(0);
    await picture(page, 'knowledge');
  });

  it('are answered from in a call, and quoted where they open', async () => {
    await page.goto('/agents');
    await page.getByRole('button', { name: 'Start Call' }).click();
    await page.getByRole('region', { name: 'Transcript' }).getByText('Harbor Lane Cycles').first().waitFor();
    expect(await ask(page, 'Within how many days can I send a bicycle back?')).toMatch(/45/);
    await page
      .getByRole('button', { name: /1 source/ })
      .last()
      .click();
    const [document] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'terms › Returns' }).click(),
    ]);
    const quoted = document.getByRole('listitem').filter({ hasText: 'Quoted' });
    await quoted.getByText('You can send a bicycle back within 45 days.').waitFor();
    await document.close();
    await page.getByRole('button', { name: 'End Call' }).click();
    await page.waitForURL('**/agents');
  });

  it('are removed after asking', async () => {
    await page.goto(`/agents/edit/${agentId}`);
    await knowledge().getByRole('button', { name: 'More about Parking' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => knowledge().getByRole('link', { name: 'Parking' }).count()).toBe(0);
  });

  it('have pages that everybody can use, on a phone too', async () => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const { violations } = await new AxeBuilder({ page })
        .include('section[aria-labelledby]')
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
    }
    expect(desk.errors).toEqual([]);
  });
});

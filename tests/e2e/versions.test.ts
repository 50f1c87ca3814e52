import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser, picture, type Visit, visit } from './support/browser.ts';
import { ask, makeAgent, register } from './support/journey.ts';
import { type RunningServer, startServer, withoutSpeech } from './support/server.ts';

const companyInfo = [
  '# Opening hours\n\nOur shop is open from Monday to Friday, 9 am to 6 pm.',
  '# Repairs\n\nA repair takes 3 working days and costs 45 dollars.',
  '# Rentals\n\nRenting a bicycle costs 20 dollars a day.',
  '# Returns\n\nA bicycle can be sent back within 30 days.',
].join('\n\n');

describe.skipIf(!chromiumPath)('a change of an agent (skipped where no Chromium is)', () => {
  let server: RunningServer;
  let browser: Browser;
  let desk: Visit;
  let page: Page;
  let address: string;

  beforeAll(async () => {
    server = await startServer({ env: withoutSpeech });
    browser = await launchBrowser();
    desk = await visit(browser, server.url);
    page = desk.page;
    await register(page);
    address = `/agents/edit/${await makeAgent(page, server.url, companyInfo)}`;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('has nothing to show before anybody has asked', async () => {
    await page.goto(address);
    await page.getByRole('button', { name: 'See the effect' }).click();
    await page.getByText('No customer has asked anything yet').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
  });

  it('shows what customers would hear, before it is saved', async () => {
    await page.goto('/agents');
    await page.getByRole('button', { name: 'Start Call' }).click();
    await page.waitForURL('**/calls/Luna');
    await page.getByRole('region', { name: 'Transcript' }).getByText('Harbor Lane Cycles').first().waitFor();
    expect(await ask(page, 'How long does a repair take?')).toContain('3 working days');
    expect(await ask(page, 'When are you open?')).toContain('9 am');
    expect(await ask(page, 'Where can I park my car?')).not.toContain('behind the shop');
    await page.getByRole('button', { name: 'End Call' }).click();
    await page.waitForURL('**/agents');
    await page.goto(address);
    const field = page.getByLabel('Company Information');
    await field.fill(companyInfo.replace('3 working days', '5 working days'));
    await page.getByRole('button', { name: 'See the effect' }).click();
    await page.getByText('Of the last 3 questions 1 would be answered differently.').waitFor();
    const answers = page.getByRole('list', { name: 'Answers that would change' }).getByRole('listitem');
    expect(await answers.getByRole('region', { name: 'Now' }).textContent()).toContain('3 working days');
    expect(await answers.getByRole('region', { name: 'With your changes' }).textContent()).toContain(
      '5 working days',
    );
    await everybodyCanUse('effect');
    await page.getByRole('button', { name: 'Close' }).click();
  });

  it('is a version of the agent once it is saved, and can be compared', async () => {
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.waitForURL('**/agents');
    await page.goto(address);
    const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem');
    await versions.first().getByText('Changed: Company Information').waitFor();
    expect(await versions.count()).toBe(2);
    await page.getByRole('button', { name: 'Compare version 2' }).click();
    const changed = page.getByRole('region', { name: 'Company Information' });
    await changed.getByText('Removed: ').waitFor();
    expect(await changed.textContent()).toMatch(/takes 3 working.*takes 5 working/);
    await everybodyCanUse('compare');
    await page.getByRole('button', { name: 'Close' }).click();
    await versions.first().scrollIntoViewIfNeeded();
    await everybodyCanUse('history');
  });

  it('can be taken back', async () => {
    await page.getByRole('button', { name: 'Go back to version 1' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click();
    await page.getByText('Went back to version 1').waitFor();
    await expect.poll(() => page.getByLabel('Company Information').inputValue()).toContain('3 working days');
  });

  it('is shown of a document, too, before it comes and before it goes', async () => {
    const knowledge = page.getByRole('region', { name: 'Knowledge' });
    await knowledge.getByRole('button', { name: 'Paste text' }).click();
    await page.getByLabel('Title').fill('Parking');
    await page.getByLabel('Text', { exact: true }).fill('You can park your car for free behind the shop.');
    await everybodyCanUse('paste-text');
    const seeChange = page.getByRole('button', { name: 'See what would change' });
    await seeChange.click();
    const added = page.getByRole('dialog', { name: 'If “Parking” is added' });
    await added.getByText('1 gets an answer.').waitFor();
    await everybodyCanUse('document-added');
    await added.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Add text' }).click();
    await knowledge.getByRole('link', { name: 'Parking' }).waitFor();
    await expect.poll(() => knowledge.getByText('Reading').count(), { timeout: 20_000 }).toBe(0);

    await knowledge.getByRole('button', { name: 'More about Parking' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await everybodyCanUse('remove-document');
    await seeChange.click();
    const removed = page.getByRole('dialog', { name: 'If “Parking” is removed' });
    await removed.getByText('1 loses its answer.').waitFor();
    await everybodyCanUse('document-removed');
    await removed.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Cancel' }).last().click();
    expect(desk.errors).toEqual([]);
  });

  it('is what it says, too, read in its prompts and confirmed', async () => {
    await page.goto(`/agents/edit/${await makeAgent(page, server.url, companyInfo)}`);
    await page.getByText('What it says', { exact: true }).waitFor();
    expect(await page.getByLabel('Greeting').isVisible()).toBe(false);
    await page.getByLabel('Prompt 1').fill('Greet callers with "Harbor Lane, hello!"\nNever say "cheap".');
    const notice = page.getByRole('region', { name: 'Your prompts tell the agent what to say' });
    await notice.getByText('“Harbor Lane, hello!”').waitFor();
    await notice.scrollIntoViewIfNeeded();
    await everybodyCanUse('in-prompts');
    await notice.getByRole('button', { name: 'Use these' }).press('Enter');
    await notice.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Words it never says').inputValue()).toBe('cheap');
    await page.getByRole('button', { name: 'Add Answer' }).press('Enter');
    const answer = page.getByRole('group', { name: 'Answer 1' });
    await answer.getByLabel('When asked about').fill('a discount\ndo you have a special offer?');
    await answer.getByLabel('It says').fill('Our prices are the same for everyone.');
    await page.getByLabel('A colleague takes over').fill('an accident');
    await page.getByLabel('Greeting').scrollIntoViewIfNeeded();
    await everybodyCanUse('sayings');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.waitForURL('**/agents');
    await page.getByRole('button', { name: 'Start Call' }).first().click();
    await page.getByRole('region', { name: 'Transcript' }).getByText('Harbor Lane, hello!').first().waitFor();
    expect(await ask(page, 'Can I have a discount?')).toBe('Luna: Our prices are the same for everyone.');
    expect(await ask(page, 'How long does a repair take?')).toContain('3 working days');
    expect(desk.errors).toEqual([]);
  });

  /** Checks the page on a desk and on a phone, in light and dark. */
  async function everybodyCanUse(name: string): Promise<void> {
    for (const width of [390, 1440])
      for (const theme of ['dark', 'light'] as const) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
        await page.emulateMedia({ reducedMotion: 'reduce' });
        await page.evaluate((chosen) => {
          document.documentElement.dataset.theme = chosen;
        }, theme);
        await picture(page, `versions-${name}-${width}-${theme}`);
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
          .analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
  }
});

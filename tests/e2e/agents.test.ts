import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser, picture, takeHeard, type Visit, visit } from './support/browser.ts';
import { measure } from './support/hearing.ts';
import { earsReady, register, transcript } from './support/journey.ts';
import { type RunningServer, startServer } from './support/server.ts';

const hasVoice = process.env.SIGMA_TEST_MODELS !== undefined;

describe.skipIf(!chromiumPath)('agents of one’s own (skipped where no Chromium is)', () => {
  let server: RunningServer;
  let browser: Browser;
  let first: Visit;
  let page: Page;

  beforeAll(async () => {
    server = await startServer();
    browser = await launchBrowser();
    first = await visit(browser, server.url);
    page = first.page;
    await register(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('begins with none, and a way to the first one', async () => {
    if (hasVoice) await earsReady(page, server.url);
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('heading', { name: 'AI Agents' }).waitFor();
    await page.getByText('No agents created yet').waitFor();
    await page.getByRole('button', { name: 'Create Your First Agent' }).click();
    await page.waitForURL('**/agents/create');
  });

  it('fills the form from an example, which answers before it is saved, seen and heard', async () => {
    await page.getByRole('button', { name: 'Start from an example' }).click();
    await page.getByRole('button', { name: /Bike shop/ }).click();
    expect(await page.getByLabel('Agent Name').inputValue()).toBe('Juno');
    await takeHeard(page);
    await askDraft(page, 'How much is a full service?');
    await expect.poll(() => rehearsal(page).textContent()).toMatch(/\$149/);
    if (hasVoice) {
      await rehearsal(page).getByRole('button', { name: 'Play again' }).waitFor();
      const heard = await takeHeard(page);
      expect(measure(heard.samples, heard.sampleRate).seconds).toBeGreaterThan(1);
    }
  });

  it('answers from the form as it is now', async () => {
    const info = page.getByLabel('Company Information');
    await info.fill(`${await info.inputValue()}\n\n# Parties\nA children's party with bikes costs $240.`);
    await askDraft(page, "What does a children's party cost?");
    await expect.poll(() => rehearsal(page).textContent()).toMatch(/\$240/);
    await picture(page, 'agent-create');
  });

  it('has stored nothing of all that', async () => {
    expect(await api(page, '/api/agents')).toEqual([]);
    expect(await api(page, '/api/conversations')).toEqual([]);
  });

  it('saves the agent and lists it', async () => {
    await page.getByRole('button', { name: 'Create Agent' }).click();
    await page.waitForURL('**/agents');
    await page.getByRole('heading', { name: 'Juno' }).waitFor();
    await page.getByText('Harbor Lane Cycles').waitFor();
    await picture(page, 'agents');
  });

  it('calls the agent, who greets and answers from its own information', async () => {
    await page.getByRole('button', { name: 'Start Call' }).click();
    await page.waitForURL('**/calls/Juno');
    await page.getByRole('heading', { name: 'Call', level: 1 }).waitFor();
    await transcript(page).getByText('Harbor Lane Cycles').first().waitFor();
    await page.getByPlaceholder('Type your message...').fill("What does a children's party cost?");
    await page.keyboard.press('Enter');
    await expect.poll(() => transcript(page).textContent()).toMatch(/\$240/);
    const box = await page.locator('[class~="h-[600px]"]').boundingBox();
    expect(box?.height).toBe(600);
    await picture(page, 'agent-call');
  });

  it('goes on with the same call after a reload', async () => {
    await page.reload();
    await expect.poll(() => transcript(page).textContent()).toMatch(/\$240/);
    expect(await api(page, '/api/conversations')).toHaveLength(1);
  });

  it('ends the call and comes back to the agents', async () => {
    await page.getByRole('button', { name: 'End Call' }).click();
    await page.waitForURL('**/agents');
    expect(await api(page, '/api/conversations')).toMatchObject([
      { agentName: 'Juno', metadata: { ended: expect.any(String) } },
    ]);
  });

  it('lets the later of two tabs win visibly, and brings the other version back', async () => {
    const other = await first.context.newPage();
    for (const tab of [page, other]) {
      // A tab in the background draws too rarely to be used.
      await tab.bringToFront();
      await tab.goto('/agents');
      await tab.getByRole('button', { name: 'More about Juno' }).click();
      await tab.getByRole('menuitem', { name: 'Edit Agent' }).click();
      await tab.getByRole('heading', { name: 'Edit Agent' }).waitFor();
    }
    await other.getByLabel('Personality').fill('From the other tab.');
    await other.getByRole('button', { name: 'Save Changes' }).click();
    await other.waitForURL('**/agents');
    await other.close();
    await page.getByLabel('Personality').fill('From this tab.');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    const notice = page.getByText('They replaced another version of this agent.');
    await notice.waitFor();
    await expect.poll(async () => (await notice.boundingBox())?.y ?? -1).toBeGreaterThan(61);
    await page.getByRole('button', { name: 'See the other version' }).click();
    await page.getByRole('dialog').getByText('From the other tab.').waitFor();
    await picture(page, 'agent-replaced');
    await page.getByRole('dialog').getByRole('button', { name: 'Bring it back' }).click();
    expect(await page.getByLabel('Personality').inputValue()).toBe('From the other tab.');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.waitForURL('**/agents');
    expect(await api(page, '/api/agents')).toMatchObject([{ personality: 'From the other tab.' }]);
  });

  it('asks before a changed form is left', async () => {
    await page.goto('/agents/create');
    await page.getByLabel('Agent Name').fill('Half an agent');
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.waitForURL('**/dashboard');
  });

  it('leads a call without an agent to the agents', async () => {
    await page.goto('/calls/Juno');
    await page.waitForURL('**/agents');
  });

  it('asks, deletes the agent and keeps its conversation', async () => {
    await page.getByRole('button', { name: 'More about Juno' }).click();
    await page.getByRole('menuitem', { name: 'Delete Agent' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this agent?' });
    await dialog.getByRole('button', { name: 'Delete Agent' }).click();
    await page.getByText('No agents created yet').waitFor();
    expect(await api(page, '/api/conversations')).toMatchObject([{ agentName: 'Juno' }]);
  });

  it('works on a phone: the form and, as a sheet, the try-out', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/agents/create');
    await page.getByRole('button', { name: 'Start from an example' }).click();
    await page.getByRole('button', { name: /Boutique hotel/ }).click();
    await page.getByRole('button', { name: 'Try it' }).click();
    await askDraft(page, 'Are dogs allowed?');
    await expect.poll(() => rehearsal(page).textContent()).toMatch(/dogs are welcome/i);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await picture(page, 'agent-try-phone');
  });

  it('had no error in the page from beginning to end', () => {
    expect(first.errors).toEqual([]);
  });
});

const rehearsal = (page: Page) => page.getByRole('log', { name: 'Rehearsal' });

async function askDraft(page: Page, question: string): Promise<void> {
  await page.getByLabel('Ask the draft').fill(question);
  await page.keyboard.press('Enter');
}

/** Requests the API as the page's own user. */
function api(page: Page, path: string): Promise<unknown> {
  return page.evaluate(async (asked) => {
    const response = await fetch(asked, {
      headers: { authorization: `Bearer ${localStorage.getItem('token')}` },
    });
    return response.json();
  }, path);
}

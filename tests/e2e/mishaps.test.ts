import { rm } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDataDir } from '../support/fresh-data-dir.ts';
import { chromiumPath, launchBrowser, visit } from './support/browser.ts';
import { ask, openCall, register, transcript } from './support/journey.ts';
import { type RunningServer, startServer, withoutSpeech } from './support/server.ts';

describe.skipIf(!chromiumPath)('a call in which things go wrong (skipped where no Chromium is)', () => {
  let dataDir: string;
  let server: RunningServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    dataDir = await freshDataDir();
    server = await startServer({ dataDir, env: withoutSpeech });
    browser = await launchBrowser();
    ({ page } = await visit(browser, server.url));
    await register(page);
    await openCall(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('answers in text while the voice cannot be fetched, and says what the voice waits for', async () => {
    await page
      .getByText(/voice.*(npm registry|network)/i)
      .first()
      .waitFor();
    expect(await ask(page, 'How much is delivery to Canada?')).toMatch(/\$24/);
  });

  it('goes on after the server was killed, with everything that was said', async () => {
    const said = await transcript(page).getByRole('listitem').count();
    const port = new URL(server.url).port;
    await server.stop('SIGKILL');
    await page.getByText('Connection lost. Reconnecting…').waitFor();
    await page.getByPlaceholder('Type your message...').fill('And to Mexico?');
    server = await startServer({
      dataDir,
      env: { ...withoutSpeech, PORT: port },
    });
    await page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'hidden' });
    expect(await page.getByPlaceholder('Type your message...').inputValue()).toBe('And to Mexico?');
    expect(await transcript(page).getByRole('listitem').count()).toBe(said);
    expect(await ask(page, 'And to Mexico?')).toMatch(/\$29/);
  });

  it('keeps what is being written over a reload, and leaves nothing in the browser that can be read', async () => {
    const draft = () => page.getByPlaceholder('Type your message...');
    await draft().fill('My card was stolen');
    const stored = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    expect(stored).toContain('draft.simulator');
    expect(stored).not.toMatch(/card|stolen/);
    await page.reload();
    await expect.poll(() => draft().inputValue()).toBe('My card was stolen');
    await draft().fill('');
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('draft.simulator');
  });

  it('keeps a call apart from another in a second tab', async () => {
    const second = await page.context().newPage();
    await second.goto(page.url());
    const before = await transcript(page).getByRole('listitem').count();
    await ask(page, 'Do you price match?');
    expect(await transcript(page).getByRole('listitem').count()).toBe(before + 2);
    await second.close();
  });

  it('treats what a person types as text', async () => {
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script> مرحبا \u202Eabc';
    await ask(page, hostile);
    await transcript(page).getByText('<img src=x').first().waitFor();
    expect(await page.title()).not.toMatch(/^[12]$/);
  });

  it('leaves a second process out of the data directory, in one sentence', async () => {
    await expect(startServer({ dataDir, env: withoutSpeech })).rejects.toThrow(
      /ended with code 1[\s\S]*data directory/i,
    );
  });
});

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser, picture, visit } from './support/browser.ts';
import { type RunningServer, startServer, withoutSpeech } from './support/server.ts';

describe.skipIf(!chromiumPath)('the API documentation (skipped where no Chromium is)', () => {
  let server: RunningServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await startServer({ env: withoutSpeech });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it("is read and tried out under the page's content security policy, without an error", async () => {
    const { page, errors } = await visit(browser, server.url);
    const response = await page.goto('/api/docs');
    const login = await fetch(`${server.url}/login`);
    expect(response?.headers()['content-security-policy']).toBe(login.headers.get('content-security-policy'));
    const operation = page.locator('.opblock', { hasText: 'The process serves' });
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table');
    await answer.getByText('"ok"').waitFor();
    expect(await page.locator('.opblock').count()).toBeGreaterThan(12);
    await picture(page, 'api-docs');
    expect(errors).toEqual([]);
  });
});

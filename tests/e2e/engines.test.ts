import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDataDir } from '../support/fresh-data-dir.ts';
import { chromiumPath, launchBrowser, picture, visit } from './support/browser.ts';
import { ask, openCall, register, transcript } from './support/journey.ts';
import { type RunningServer, startServer, withoutSpeech } from './support/server.ts';

const KEY = 'sk-test-0123456789';
const REPLY = 'You can return most items within 45 days of delivery.';

/** A language server that accepts one key and always gives the same answer. */
function aLanguageServer(): Server {
  return createServer((request, response) => {
    request.resume();
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      response.writeHead(401, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: { message: 'There is no such key.' } }));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const piece = (choice: object) => {
      const chunk = {
        id: '1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'large',
        choices: [choice],
      };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    for (const content of REPLY.split(/(?<= )/)) piece({ index: 0, delta: { content }, finish_reason: null });
    piece({ index: 0, delta: {}, finish_reason: 'stop' });
    return response.end('data: [DONE]\n\n');
  });
}

describe.skipIf(!chromiumPath)('the page for engines (skipped where no Chromium is)', () => {
  let models: Server;
  let address: string;
  let dataDir: string;
  let server: RunningServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    models = aLanguageServer();
    await new Promise<void>((resolve) => models.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(models.address() as AddressInfo).port}/v1`;
    dataDir = await freshDataDir();
    server = await startServer({ dataDir, env: withoutSpeech });
    browser = await launchBrowser();
    ({ page } = await visit(browser, server.url));
    await register(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    models?.closeAllConnections();
    await new Promise((resolve) => models.close(resolve));
    await rm(dataDir, { recursive: true, force: true });
  });

  const language = () => page.getByRole('region', { name: 'Language', exact: true });
  async function openEngines(): Promise<void> {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Engines' }).click();
    await language().waitFor();
  }

  it('shows that everything is inside the server, and tries it', async () => {
    await openEngines();
    await language().getByText('Grounded responder', { exact: true }).waitFor();
    await language().getByRole('button', { name: 'Try it' }).click();
    await language()
      .getByText(/45 days/)
      .waitFor();
    await picture(page, 'engines');
  });

  it('tells a model’s own complaint before anything is saved', async () => {
    await language().getByRole('button', { name: 'Change Language' }).click();
    await language().getByLabel('Address').fill(address);
    await language().getByLabel('Model', { exact: true }).fill('large');
    await language().getByLabel('Key', { exact: true }).fill('a wrong one');
    await language().getByRole('button', { name: 'Try before saving' }).click();
    await language()
      .getByText(/refused the server’s key.*There is no such key\./)
      .waitFor();
    await picture(page, 'engines-form');
  });

  it('takes a model that answers, and never shows its key again', async () => {
    await language().getByLabel('Key', { exact: true }).fill(KEY);
    await language().getByRole('button', { name: 'Save' }).click();
    await language()
      .getByText(/^Ada Lovelace, /)
      .waitFor();
    await language().getByRole('button', { name: 'Try it' }).click();
    await language().getByText(REPLY).waitFor();
    expect(await page.content()).not.toContain(KEY);
    await picture(page, 'engines-model');
    await page.getByRole('button', { name: 'Close' }).click();
  });

  it('has it answer calls at once, and after a restart', async () => {
    await openCall(page);
    expect(await ask(page, 'How long can I return items?')).toContain('45 days');
    await transcript(page).getByText(REPLY).waitFor();
    await server.stop();
    server = await startServer({ dataDir, env: { ...withoutSpeech, PORT: new URL(server.url).port } });
    await page.goto('/dashboard');
    await openEngines();
    await language().getByText('large', { exact: true }).waitFor();
    await language()
      .getByText(/^Ada Lovelace, /)
      .waitFor();
  });
});

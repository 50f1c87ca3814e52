import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExampleShop } from '../../examples/shop/shop.js';
import { chromiumPath, launchBrowser, picture, type Visit, visit } from './support/browser.ts';
import { ask, register, transcript } from './support/journey.ts';
import { type RunningServer, startServer, withoutSpeech } from './support/server.ts';

describe.skipIf(!chromiumPath)('actions of an agent (skipped where no Chromium is)', () => {
  let shop: Server;
  let address: string;
  let server: RunningServer;
  let browser: Browser;
  let first: Visit;
  let page: Page;

  beforeAll(async () => {
    shop = createExampleShop('the key');
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(shop.address() as AddressInfo).port}`;
    address = `http://${host}`;
    server = await startServer({ env: { ...withoutSpeech, ACTIONS_PRIVATE_HOSTS: host } });
    browser = await launchBrowser();
    first = await visit(browser, server.url);
    page = first.page;
    await register(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    shop?.closeAllConnections();
    await new Promise((resolve) => shop.close(resolve));
  });

  it('are none at first', async () => {
    await page.goto('/agents/create');
    await page.getByRole('button', { name: 'Start from an example' }).click();
    await page.getByRole('button', { name: /Bike shop/ }).click();
    await page.getByRole('button', { name: 'Create Agent' }).click();
    await page.waitForURL('**/agents');
    await page.getByRole('button', { name: 'More about Juno' }).click();
    await page.getByRole('menuitem', { name: 'Edit Agent' }).click();
    await page.getByText('No actions yet').waitFor();
  });

  it('are told what is missing, then saved', async () => {
    await page.getByRole('button', { name: 'Add action' }).click();
    await page.getByRole('button', { name: 'Save action' }).click();
    await page.getByText('Name the action.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Order status');
    await page.getByLabel('When to use it').fill('The customer asks where their order is.');
    await page.getByRole('button', { name: 'Add input' }).click();
    await page.getByLabel('Label of input 1').fill('order number');
    await page.getByLabel('Name of input 1').fill('order');
    await page.getByLabel('Pattern of input 1').fill('\\d{4}');
    await page.getByLabel('Address', { exact: true }).fill(`${address}/orders/{order}`);
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByLabel('Header 1', { exact: true }).fill('Authorization');
    await page.getByLabel('Value of header 1').fill('Bearer the key');
    await page.getByLabel('What the agent says afterwards').fill('Order {order} is {answer.status}.');
    await picture(page, 'action-form');
    await page.getByRole('button', { name: 'Save action' }).click();
    await page.getByRole('button', { name: 'Try Order status' }).waitFor();
  });

  it('are tried for real, and never show their secrets again', async () => {
    await page.getByRole('button', { name: 'Try Order status' }).click();
    await page.getByLabel('order number').fill('4471');
    await page.getByRole('button', { name: 'Run it for real' }).click();
    await page.getByText('Order 4471 is on its way to you.').waitFor();
    expect(await page.getByRole('dialog').textContent()).toContain(`GET ${address}/orders/4471`);
    expect(await page.content()).not.toContain('the key');
    await picture(page, 'action-try');
    await page.getByRole('button', { name: 'Close' }).click();
  });

  it('answer a typed conversation, which keeps what was done', async () => {
    await page.goto('/agents');
    await page.getByRole('button', { name: 'Start Call' }).click();
    await page.waitForURL('**/calls/Juno');
    await transcript(page).getByText('Harbor Lane Cycles').first().waitFor();
    expect(await ask(page, 'Where is my order 4471?')).toContain('Order 4471 is on its way to you.');
    await page.getByRole('button', { name: 'End Call' }).click();
    await page.goto('/conversations');
    await page.locator('a[href^="/conversations/"]').first().click();
    const actions = page.getByRole('region', { name: 'Actions' });
    await actions.getByText('Order status').waitFor();
    expect(await actions.textContent()).toMatch(/Done.*200.*order: 4471/s);
    await picture(page, 'action-runs');
  });
});

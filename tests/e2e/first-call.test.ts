import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser, picture, takeHeard, type Visit, visit } from './support/browser.ts';
import { measure, soundsLike } from './support/hearing.ts';
import { ask, earsReady, transcript } from './support/journey.ts';
import { type RunningServer, startServer } from './support/server.ts';

const assets = fileURLToPath(new URL('../../dist/web/assets', import.meta.url));
const hasVoice = process.env.SIGMA_TEST_MODELS !== undefined;

/** A visitor's questions to the demo company, with patterns of right answers. */
const questions: [string, RegExp][] = [
  ['How many days do I have to return something?', /45 days/],
  ['how much is delivery to canada?', /\$24/],
  ['Do you accept cryptocurrency?', /cryptocurrency/i],
];

describe.skipIf(!chromiumPath)('a first visit (skipped where no Chromium is)', () => {
  let dataDir: string;
  let server: RunningServer;
  let browser: Browser;
  let first: Visit;
  let page: Page;

  beforeAll(async () => {
    // Empty: this server makes its database itself.
    dataDir = await mkdtemp(join(tmpdir(), 'sigma-first-'));
    server = await startServer({ dataDir });
    browser = await launchBrowser();
    first = await visit(browser, server.url);
    page = first.page;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('leads a stranger from any guarded page to the sign-in', async () => {
    await page.goto('/dashboard');
    await page.waitForURL('**/login');
    await page.getByRole('heading', { name: 'Welcome Back' }).waitFor();
  });

  it('fetches at most 115 kB of script for the sign-in, and never more than 500 kB in one piece', async () => {
    const stranger = await visit(browser, server.url);
    const scripts: Promise<number>[] = [];
    stranger.page.on('requestfinished', (request) => {
      if (new URL(request.url()).pathname.endsWith('.js'))
        scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await stranger.page.goto('/login', { waitUntil: 'networkidle' });
    await stranger.page.getByRole('button', { name: 'Sign in' }).waitFor();
    const sizes = await Promise.all(scripts);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(115_000);
    await stranger.context.close();

    const built = await readdir(assets);
    const whole = built.filter((name) => name.endsWith('.js')).map((name) => stat(join(assets, name)));
    for (const { size } of await Promise.all(whole)) expect(size).toBeLessThanOrEqual(500_000);
  });

  it('registers a person and greets them on the dashboard', async () => {
    await page.goto('/register');
    await page.getByLabel('Full name').fill('Ada Lovelace');
    await page.getByLabel('Email address').fill('ada@sigma.example');
    await page.getByLabel('Password', { exact: true }).fill('a long enough passphrase');
    await page.getByLabel('Confirm password', { exact: true }).fill('another passphrase');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByText('Passwords do not match').waitFor();
    await page.getByLabel('Confirm password', { exact: true }).fill('a long enough passphrase');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.waitForURL('**/dashboard');
    await page.getByRole('heading', { name: 'Welcome back, Ada Lovelace!' }).waitFor();
    await page.getByText('Monitor your automated customer service performance.').waitFor();
  });

  it('opens a call with the demo agent, who greets first', async () => {
    if (hasVoice) await earsReady(page, server.url);
    await page.getByRole('link', { name: 'Start New Call' }).first().click();
    await page.waitForURL('**/call-simulator');
    await page.getByRole('heading', { name: 'Sigma' }).waitFor();
    await transcript(page).getByText('Brightwater').first().waitFor();
    await quiet(page);
  });

  it.each(questions)('answers "%s" rightly, seen and heard', async (question, reads) => {
    await takeHeard(page);
    const reply = await ask(page, question);
    expect(reply).toMatch(reads);
    if (!hasVoice) return;
    const heard = await soundsLike(page, reply);
    const measured = measure(heard.samples, heard.sampleRate);
    expect(measured.level).toBeGreaterThan(0.02);
    expect(measured.peak).toBeLessThanOrEqual(1);
    await quiet(page);
  });

  it('declines what the company has not told it, instead of inventing', async () => {
    expect(await ask(page, 'Do you have a store in Paris?')).toMatch(/don.t have|colleague|not sure/i);
    await picture(page, 'call-simulator');
  });

  it('goes on with the same call after a reload, without a second one', async () => {
    const before = await transcript(page).getByRole('listitem').count();
    await page.reload();
    await expect.poll(() => transcript(page).getByRole('listitem').count()).toBe(before);
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Welcome back, Ada Lovelace!' }).waitFor();
    await page.goto('/conversations');
    await expect.poll(() => page.locator('a[href^="/conversations/"]').count()).toBe(1);
  });

  it.skipIf(!hasVoice)('keeps what the agent said, to be heard and sought in again', async () => {
    await page.locator('a[href^="/conversations/"]').first().click();
    const clip = page.getByRole('group', { name: 'Recording of this reply' }).nth(1);
    await clip.getByRole('button', { name: 'Play' }).click();
    const position = clip.getByRole('slider', { name: 'Position' });
    const read = async (what: 'valuenow' | 'valuemax') =>
      Number.parseFloat((await position.getAttribute(`aria-${what}`)) ?? '');
    await expect.poll(() => read('valuenow')).toBeGreaterThan(0.3);
    expect(await read('valuemax')).toBeGreaterThan(3);
    const before = await read('valuenow');
    await position.focus();
    await page.keyboard.press('ArrowRight');
    expect(await read('valuenow')).toBeGreaterThan(before + 1.5);
  });

  it('signs out, and a guarded page is closed again', async () => {
    await page.getByRole('button', { name: /Logout/ }).click();
    await page.waitForURL('**/login');
    await page.goto('/call-simulator');
    await page.waitForURL('**/login');
    expect(await page.evaluate(() => Object.values(localStorage).join(' '))).not.toMatch(/[\w-]{43}/);
  });

  it('had no error in the page from beginning to end', () => {
    // A refused session is answered 401, which Chromium reports by itself.
    expect(first.errors.filter((error) => !/status of 401/.test(error))).toEqual([]);
  });
});

/** Waits until the agent has finished speaking. */
async function quiet(page: Page): Promise<void> {
  await page.getByRole('status').getByText('Ready', { exact: true }).waitFor();
}

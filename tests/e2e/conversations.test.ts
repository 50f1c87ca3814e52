import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/database/open';
import { conversations, messages } from '#server/database/schema';
import { createPasswords } from '#server/features/accounts/passwords';
import { AccountsRepository } from '#server/features/accounts/repository';
import { seedConversations } from '../../scripts/seed/seed-conversations.ts';
import { aConversation, aMessage, aPassword } from '../factories.ts';
import { chromiumPath, launchBrowser, picture, type Visit, visit } from './support/browser.ts';
import { type RunningServer, startServer } from './support/server.ts';

const SEEDED = 300;
const email = 'ada@sigma.example';
const hostile = [
  '<img src=x onerror="document.title=\'hacked\'"><script>document.title="hacked"</script>',
  'أين طلبي؟ الرقم 4711 من فضلك',
  '🙂'.repeat(40),
  'w'.repeat(8_000),
];

describe.skipIf(!chromiumPath)('conversations (skipped where no Chromium is)', () => {
  let dataDir: string;
  let server: RunningServer;
  let browser: Browser;
  let desk: Visit;
  let page: Page;
  const strangeId = uuidv7();

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sigma-e2e-conversations-'));
    await fill(dataDir, strangeId);
    server = await startServer({ dataDir });
    browser = await launchBrowser();
    desk = await visit(browser, server.url, { permissions: ['clipboard-read', 'clipboard-write'] });
    page = desk.page;
    await page.goto('/login');
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(aPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/dashboard');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  const cards = () => page.getByRole('article');
  const results = () => page.getByRole('region', { name: 'Results' });
  const found = () => results().getByRole('status').first();

  it('loads the whole list while one scrolls, and keeps few cards at a time', async () => {
    await page.goto('/conversations');
    await cards().first().waitFor();
    await picture(page, 'conversations');
    const last = page.locator(`li[aria-posinset="${SEEDED + 1}"]`);
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 20_000);
          return last.count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    expect(await cards().count()).toBeLessThan(60);
    await expect.poll(() => last.getAttribute('aria-setsize')).toBe(String(SEEDED + 1));
  });

  it('finds its place again on the way back from a conversation', async () => {
    await page.evaluate(() => window.scrollTo(0, 6_000));
    await page.waitForTimeout(300);
    const middle = cards().nth(Math.floor((await cards().count()) / 2));
    const title = await middle.getByRole('heading').textContent();
    await middle.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => window.scrollY);
    expect(before).toBeGreaterThan(4_000);
    await middle.getByRole('link').click();
    await page.waitForURL('**/conversations/*');
    await page.getByRole('heading', { name: title ?? '', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Back to conversations' }).click();
    await page.waitForURL('**/conversations');
    await expect.poll(() => page.evaluate(() => window.scrollY), { timeout: 5_000 }).toBe(before);
    await page
      .getByRole('link', { name: title ?? '' })
      .first()
      .waitFor();
  });

  it('goes from card to card by keyboard, far beyond what the screen shows', async () => {
    await page.goto('/conversations');
    await cards().first().getByRole('link').focus();
    for (let row = 0; row < 12; row++) {
      await page.keyboard.press('ArrowDown');
      await page.waitForTimeout(60);
    }
    const place = () =>
      page.evaluate(() => document.activeElement?.closest('li')?.getAttribute('aria-posinset') ?? 'nowhere');
    await expect.poll(place).toBe('37');
    const box = await page.locator('li[aria-posinset="37"]').boundingBox();
    expect(box && box.y >= 0 && box.y < 900).toBe(true);
  });

  it('searches what was said, keeps it in the address, and shows the words in the conversation', async () => {
    await page.goto('/conversations');
    await page
      .getByRole('searchbox', { name: 'Search conversations' })
      .pressSequentially('smoki', { delay: 30 });
    await expect.poll(() => found().textContent()).toMatch(/^\d+ conversations? match(?:es)?$/);
    expect(new URL(page.url()).search).toBe('?q=smoki');
    const count = Number.parseInt((await found().textContent()) ?? '', 10);
    expect(count).toBeGreaterThan(0);
    await page.reload();
    await expect.poll(() => found().textContent()).toMatch(new RegExp(`^${count} conversation`));
    await cards().first().getByRole('link').click();
    await page
      .getByText(/smoking/)
      .first()
      .waitFor();
    await page.goBack();
    await expect.poll(() => cards().count()).toBeGreaterThan(0);
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('smoki');
  });

  it('filters by sentiment and period; nothing found has a way out', async () => {
    await page.goto('/conversations');
    await page.getByRole('button', { name: 'Urgent' }).click();
    await expect.poll(() => found().textContent()).toMatch(/match/);
    const badges = await cards()
      .locator('span', { hasText: /^(Positive|Neutral|Negative|Urgent)$/ })
      .allTextContents();
    expect(new Set(badges)).toEqual(new Set(['Urgent']));
    await page.getByRole('button', { name: 'Period: Any time' }).click();
    await page.getByRole('menuitem', { name: 'Between two days…' }).click();
    await page.getByLabel('To', { exact: true }).fill('2001-02-03');
    await page.getByText('No conversations match').waitFor();
    expect(new URL(page.url()).search).toBe('?sentiment=urgent&to=2001-02-03');
    await picture(page, 'conversations-no-match');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await cards().first().waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('deletes a conversation after asking', async () => {
    await page.goto('/conversations?q=toaster');
    await cards().first().waitFor();
    const link = cards().first().getByRole('link');
    const address = (await link.getAttribute('href')) ?? '';
    await cards()
      .first()
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Conversation' }).click();
    await expect.poll(() => page.locator(`a[href="${address}"]`).count()).toBe(0);
    await page.goto(address);
    await page.getByText('Conversation not found').waitFor();
    // The refused request itself is all the browser complains about.
    expect(desk.errors.splice(0).filter((error) => !error.includes('404'))).toEqual([]);
  });

  it('takes a conversation along: copied, as text, JSON and CSV', async () => {
    await page.goto('/conversations?q=smoking');
    await cards().first().getByRole('link').click();
    await page.waitForURL('**/conversations/*');
    await page.getByRole('button', { name: 'Copy' }).waitFor();
    const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Transcript copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('smoking');
    const text = await download(page, 'Text');
    expect(text.name).toMatch(/\.txt$/);
    expect(text.content).toContain(title);
    const json: unknown = JSON.parse((await download(page, 'JSON')).content);
    expect(json).toMatchObject({
      title,
      messages: expect.arrayContaining([expect.objectContaining({ role: 'user' })]),
    });
    const csv = await download(page, 'CSV for spreadsheets');
    expect(csv.content.startsWith('\ufeff"Time","Speaker","Text"')).toBe(true);
    expect(csv.content).toContain('smoking');
  });

  it('shows whatever was written as text, in its own direction, inside the page', async () => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`/conversations/${strangeId}`);
      await page
        .getByRole('list', { name: 'Messages' })
        .getByText(hostile[0] ?? '')
        .waitFor();
      expect(await page.title()).toBe(`${hostile[0]} · Sigma`);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(sideways, `at ${width} px`).toBeLessThanOrEqual(0);
      const direction = await page
        .getByText(hostile[1] ?? '')
        .evaluate((element) => getComputedStyle(element).direction);
      expect(direction).toBe('rtl');
    }
    await picture(page, 'conversation-strange');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('shows the history of an agent: list, then detail, with a way back on a phone', async () => {
    await page.goto('/history/Mia');
    await page.waitForURL('**/agents');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'View History' }).first().click();
    await page.waitForURL('**/history/*');
    const first = page.getByRole('list', { name: 'Conversations' }).getByRole('button').first();
    await first.click();
    await page.getByRole('list', { name: 'Messages' }).waitFor();
    await expect.poll(() => first.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'All conversations' }).click();
    await expect.poll(() => first.isVisible()).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByText('Select a conversation to view details').waitFor();
  });

  it.each(['/conversations', '/conversations?q=zebra', `/conversations/${strangeId}`])(
    'has nothing at %s that shuts somebody out (WCAG 2.2 AA)',
    async (address) => {
      await page.goto(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForTimeout(600);
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    },
  );

  it('did all of that without an error in the page', () => {
    expect(desk.errors).toEqual([]);
  });
});

/** An account with seeded conversations and a newest one of strange texts. */
async function fill(dataDir: string, strangeId: string): Promise<void> {
  const database = await openDatabase({ dataDir, databaseUrl: null });
  try {
    const userId = uuidv7();
    const passwordHash = await createPasswords().hash(aPassword);
    await new AccountsRepository(database.db).insertUser({
      id: userId,
      name: 'Ada Lovelace',
      email,
      passwordHash,
    });
    await seedConversations(database, {
      userId,
      conversations: SEEDED,
      messages: 8,
      until: new Date(Date.now() - 24 * 60 * 60 * 1000),
      seed: 7,
    });
    const at = new Date();
    await database.db.insert(conversations).values(
      aConversation(userId, {
        id: strangeId,
        title: hostile[0] ?? '',
        createdAt: at,
        firstMessageAt: at,
        lastMessageAt: at,
        messageCount: hostile.length,
      }),
    );
    await database.db
      .insert(messages)
      .values(
        hostile.map((content) => aMessage(strangeId, { content, createdAt: at, sentiment: 'negative' })),
      );
  } finally {
    await database.close();
  }
}

async function download(page: Page, format: string): Promise<{ name: string; content: string }> {
  await page.getByRole('button', { name: 'Download' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format, exact: true }).click(),
  ]);
  // While it closes, a click on its button is lost.
  await page.getByRole('menu').waitFor({ state: 'detached' });
  return { name: file.suggestedFilename(), content: await readFile(await file.path(), 'utf8') };
}

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#server/database/open';
import { conversations, messages, recordings } from '#server/database/schema';
import { createMp3Encoder } from '#server/engines/encoding/mp3';
import { createFileStore } from '#server/engines/storage/files';
import { createPasswords } from '#server/features/accounts/passwords';
import { AccountsRepository } from '#server/features/accounts/repository';
import { seedConversations } from '../../scripts/seed/seed-conversations.ts';
import { aConversation, aMessage, aPassword } from '../factories.ts';
import { freshDataDir } from '../support/fresh-data-dir.ts';
import { chromiumPath, launchBrowser, picture, type Visit, visit } from './support/browser.ts';
import { openCall, transcript } from './support/journey.ts';
import { type RunningServer, startServer } from './support/server.ts';

const hasVoice = process.env.SIGMA_TEST_MODELS !== undefined;
const SEEDED = 300;
/** Includes the unusual one and the one with recordings. */
const ALL = SEEDED + 2;
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
  const heardId = uuidv7();

  beforeAll(async () => {
    dataDir = await freshDataDir();
    await fill(dataDir, { strangeId, heardId });
    server = await startServer({ dataDir });
    browser = await launchBrowser();
    desk = await visit(browser, server.url, { permissions: ['clipboard-read', 'clipboard-write'] });
    page = desk.page;
    await page.addInitScript(notePlayed);
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
    const last = page.locator(`li[aria-posinset="${ALL}"]`);
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 20_000);
        return last.count();
      })
      .toBe(1);
    expect(await cards().count()).toBeLessThan(60);
    await expect.poll(() => last.getAttribute('aria-setsize')).toBe(String(ALL));
  });

  it('finds its place again on the way back from a conversation', async () => {
    await page.evaluate(() => window.scrollTo(0, 6_000));
    // A card that stays while others come and go.
    const places = () =>
      page
        .locator('li[aria-posinset]')
        .evaluateAll((items) => items.map((item) => Number(item.getAttribute('aria-posinset'))));
    await expect.poll(async () => (await places())[0]).toBeLessThan(120);
    const shown = await places();
    const middle = page.locator(`li[aria-posinset="${shown[Math.floor(shown.length / 2)]}"]`);
    const title = await middle.getByRole('heading').textContent();
    await middle.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => window.scrollY);
    expect(before).toBeGreaterThan(4_000);
    await middle.getByRole('link').click();
    await page.waitForURL('**/conversations/*');
    await page.getByRole('heading', { name: title ?? '', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Back to conversations' }).click();
    await page.waitForURL('**/conversations');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
    await page
      .getByRole('link', { name: title ?? '' })
      .first()
      .waitFor();
  });

  it('goes from card to card by keyboard, far beyond what the screen shows', async () => {
    // By way of another page: after a plain reload the browser restores the position by itself.
    await page.goto('/dashboard');
    await page.goto('/conversations');
    await page.locator('li[aria-posinset="1"]').getByRole('link').focus();
    const place = () =>
      page.evaluate(() => document.activeElement?.closest('li')?.getAttribute('aria-posinset') ?? 'nowhere');
    for (let row = 1; row <= 12; row++) {
      await page.keyboard.press('ArrowDown');
      await expect.poll(place).toBe(String(row * 3 + 1));
    }
    const box = await page.locator('li[aria-posinset="37"]').boundingBox();
    expect(box && box.y >= 0 && box.y < 900).toBe(true);
  });

  it('searches what was said, keeps it in the address, and shows the words in the conversation', async () => {
    await page.goto('/conversations');
    await page
      .getByRole('searchbox', { name: 'Search conversations' })
      .pressSequentially('smoki', { delay: 30 });
    await expect.poll(() => found().textContent()).toMatch(/^\d+ conversations? match(?:es)?$/);
    await expect.poll(() => new URL(page.url()).search).toBe('?q=smoki');
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
    // The browser reports only the refused request itself.
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

  it('plays a conversation in one go: its turns in order, each with its waveform, the line that is heard marked', async () => {
    await openHeard(page, heardId);
    await expect.poll(() => page.locator('[data-waveform="drawn"]').count()).toBe(4);
    const outlines = await page
      .locator('[data-waveform="drawn"] path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')?.length ?? 0));
    expect(Math.min(...outlines)).toBeGreaterThan(200);
    await picture(page, 'conversation-heard');
    const whole = await download(page, 'Recording (WAV)');
    expect(whole.name).toMatch(/^opening-hours-.*\.wav$/);
    // Some ten seconds of 16-bit samples, 16,000 a second.
    expect(whole.content.length).toBeGreaterThan(100_000);
    await page.getByRole('button', { name: 'Play conversation' }).click();
    await page.getByRole('button', { name: 'Play conversation' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Play conversation' }).waitFor();
    const lines = await page.evaluate(() => window.sigmaLines);
    expect(lines).toEqual(['Welcome.', 'When are you open?', 'From nine to', 'Stop.', 'Fine.']);
    const sounds = await page.evaluate(() => [...new Set(window.sigmaPlayed)]);
    // Their ids were made in order.
    expect([sounds.length, sounds]).toEqual([4, sounds.toSorted()]);
  });

  it('lets both be heard where the customer cut in', async () => {
    await openHeard(page, heardId);
    await page.getByText('From nine to').click();
    await expect.poll(() => page.evaluate(() => window.sigmaMost)).toBe(2);
    await page
      .getByRole('region', { name: 'Listen to the conversation' })
      .getByRole('button', { name: 'Pause', exact: true })
      .click();
  });

  it('is heard from wherever one points or steps, and goes on from there', async () => {
    await openHeard(page, heardId);
    const bar = page.getByRole('region', { name: 'Listen to the conversation' });
    const position = page.getByRole('slider', { name: 'Position in the conversation' });
    const at = async () => Number.parseFloat((await position.getAttribute('aria-valuenow')) ?? '');
    const wave = page.getByRole('group', { name: 'Recording of this reply' }).nth(1).getByRole('slider');
    await page.locator('[data-waveform="drawn"]').nth(2).waitFor({ state: 'attached' });
    const group = await page
      .getByRole('group', { name: 'Recording of this reply' })
      .nth(1)
      .locator('[data-waveform]')
      .locator('svg')
      .boundingBox();
    if (!group) throw new Error('There is no waveform.');
    await page.mouse.click(group.x + group.width / 4, group.y + group.height / 2);
    await expect.poll(() => heardLine(page)).toBe('From nine to');
    const within = Number.parseFloat((await wave.getAttribute('aria-valuenow')) ?? '');
    expect(within).toBeGreaterThan(0.8);
    await bar.getByRole('button', { name: 'Pause', exact: true }).click();
    const before = await at();
    await page.mouse.move(5, 5);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('ArrowLeft');
    await expect.poll(at).toBeLessThan(before);
    const line = await heardLine(page);
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(() => heardLine(page)).not.toBe(line);
    // At the beginning there is enough time to look.
    for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowLeft');
    await expect.poll(at).toBe(0);
    await page.keyboard.press('Space');
    await bar.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play conversation' }).waitFor();
    await page.getByRole('button', { name: 'Speed 1×' }).click();
    await page.getByRole('button', { name: 'Speed 1.25×' }).waitFor();
  });

  it('fits a phone, in light and dark', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await openHeard(page, heardId);
      await expect.poll(() => page.locator('[data-waveform="drawn"]').count()).toBe(4);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(sideways).toBeLessThanOrEqual(0);
      await picture(page, `conversation-heard-phone-${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('plays on with a new link when the old one has expired', async () => {
    // The first request of each kind: for the picture, and for the sound.
    const refused = new Set<string>();
    await page.route('**/api/recordings/**', (route) => {
      const kind = route.request().resourceType();
      if (refused.has(kind)) return route.continue();
      refused.add(kind);
      return route.fulfill({ status: 403, body: '{}' });
    });
    await openHeard(page, heardId);
    await page.getByRole('group', { name: 'Recording of your message' }).first().getByRole('button').click();
    await expect.poll(() => heardLine(page)).toBe('When are you open?');
    await page.unroute('**/api/recordings/**');
    expect(refused).toEqual(new Set(['fetch', 'media']));
    await expect.poll(() => page.evaluate(() => window.sigmaPlayed.length)).toBeGreaterThan(0);
    expect(await page.getByText('This recording cannot be played.').count()).toBe(0);
    // The browser reports only the refused request itself.
    expect(desk.errors.splice(0).filter((error) => !error.includes('403'))).toEqual([]);
  });

  it.skipIf(!hasVoice)('keeps nothing of a call once somebody has said so', async () => {
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Settings' }).click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('switch', { name: 'Keep recordings of calls', checked: true }).click();
    await settings.getByText('No sound is kept from now on.').waitFor();
    await picture(page, 'settings');
    await page.keyboard.press('Escape');
    await settings.waitFor({ state: 'detached' });
    await openCall(page);
    await transcript(page).getByRole('listitem').first().waitFor();
    await page.waitForTimeout(2_500);
    await page.goto('/conversations');
    await cards().first().getByRole('link').click();
    await page.getByRole('list', { name: 'Messages' }).getByText('Brightwater').first().waitFor();
    expect(await page.getByRole('button', { name: 'Play conversation' }).count()).toBe(0);
    // The earlier recordings are still there.
    await openHeard(page, heardId);
  });

  it.each([
    '/conversations',
    '/conversations?q=zebra',
    `/conversations/${strangeId}`,
    `/conversations/${heardId}`,
  ])('has nothing at %s that shuts somebody out (WCAG 2.2 AA)', async (address) => {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout(600);
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });

  it('did all of that without an error in the page', () => {
    expect(desk.errors).toEqual([]);
  });
});

/** An account with seeded conversations and a newest one of unusual texts. */
async function fill(
  dataDir: string,
  { strangeId, heardId }: { strangeId: string; heardId: string },
): Promise<void> {
  const database = await openDatabase({ dataDir, databaseUrl: null });
  try {
    const userId = uuidv7();
    const passwordHash = await createPasswords().hash(aPassword);
    const user = { id: userId, name: 'Ada Lovelace', email, passwordHash };
    await new AccountsRepository(database.db).insertUser(user, null);
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
    await fillHeard(dataDir, database.db, userId, heardId);
  } finally {
    await database.close();
  }
}

/** A conversation with recordings: the agent is interrupted in its second reply, and one message has no sound. */
async function fillHeard(dataDir: string, db: Database['db'], userId: string, id: string): Promise<void> {
  const encoder = createMp3Encoder();
  const store = createFileStore(join(dataDir, 'recordings'));
  const started = Date.now() - 60 * 60_000;
  const at = (second: number) => new Date(started + second * 1_000);
  await db.insert(conversations).values(
    aConversation(userId, {
      id,
      title: 'Opening Hours',
      createdAt: at(0),
      firstMessageAt: at(0),
      lastMessageAt: at(16),
      messageCount: 5,
    }),
  );
  const said = [
    { role: 'assistant', content: 'Welcome.', second: 0, seconds: 1.5, hertz: 300 },
    {
      role: 'user',
      content: 'When are you open?',
      second: 5,
      seconds: 1.5,
      hertz: 500,
      sentiment: 'neutral',
    },
    { role: 'assistant', content: 'From nine to', second: 7, seconds: 4, hertz: 300, interrupted: true },
    { role: 'user', content: 'Stop.', second: 10.6, seconds: 1, hertz: 500, sentiment: 'negative' },
    { role: 'assistant', content: 'Fine.', second: 16, seconds: null, hertz: 0 },
  ] as const;
  for (const [place, { second, seconds, hertz, ...rest }] of said.entries()) {
    const message = aMessage(id, { ...rest, createdAt: at(second) });
    await db.insert(messages).values(message);
    if (seconds === null) continue;
    const samples = Float32Array.from(
      { length: seconds * 16_000 },
      (_, n) => 0.3 * Math.sin((2 * Math.PI * hertz * n) / 16_000) * Math.abs(Math.sin(n / 2_400)),
    );
    const { audio, mediaType, durationMs } = await encoder.encode({ samples, sampleRate: 16_000 }, 'later');
    const storageKey = `e2e/${id}/heard-${place}`;
    await store.put(storageKey, once(audio), { mediaType });
    await db.insert(recordings).values({
      id: uuidv7(),
      conversationId: id,
      contactId: userId,
      messageId: message.id,
      speaker: rest.role === 'user' ? 'customer' : 'agent',
      storageKey,
      mediaType,
      bytes: audio.byteLength,
      durationMs,
      createdAt: at(second),
    });
  }
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

declare global {
  interface Window {
    /** Addresses of recordings in the order in which they began to play, and the most that ever played at once. */
    sigmaPlayed: string[];
    sigmaMost: number;
    /** Words of the highlighted lines, in order. */
    sigmaLines: string[];
  }
}

/** Opens the conversation with recordings, and records what plays in it. */
async function openHeard(page: Page, id: string): Promise<void> {
  await page.goto(`/conversations/${id}`);
  await page.getByRole('button', { name: 'Play conversation' }).waitFor();
}

/** Runs in the page before its own code. */
function notePlayed(): void {
  window.sigmaPlayed = [];
  window.sigmaMost = 0;
  window.sigmaLines = [];
  new MutationObserver(() => {
    const words = document.querySelector('li[aria-current="true"] article > div')?.textContent;
    if (words && window.sigmaLines.at(-1) !== words) window.sigmaLines.push(words);
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['aria-current'] });
  const sounding = new Set<HTMLMediaElement>();
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
    if (!sounding.has(this)) {
      this.addEventListener('playing', () => {
        sounding.add(this);
        if (window.sigmaPlayed.at(-1) !== this.src) window.sigmaPlayed.push(this.src);
        window.sigmaMost = Math.max(window.sigmaMost, [...sounding].filter((each) => !each.paused).length);
      });
      sounding.add(this);
    }
    return play.call(this);
  };
}

/** The words of the highlighted line. */
const heardLine = async (page: Page): Promise<string | null> => {
  const line = page.locator('li[aria-current="true"] article > div');
  return (await line.count()) > 0 ? line.first().textContent() : null;
};

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

import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser, picture, type Visit, visit } from './support/browser.ts';
import { register } from './support/journey.ts';
import { type RunningServer, startServer, withoutSpeech } from './support/server.ts';

describe.skipIf(!chromiumPath)('a room with an owner (skipped where no Chromium is)', () => {
  let server: RunningServer;
  let browser: Browser;
  let ada: Visit;
  let eve: Visit;

  beforeAll(async () => {
    server = await startServer({ env: withoutSpeech });
    browser = await launchBrowser();
    ada = await person('Ada Lovelace');
    eve = await person('Eve Moneypenny');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function person(name: string): Promise<Visit> {
    const visitor = await visit(browser, server.url);
    await register(visitor.page, name);
    return visitor;
  }

  const ROOM = 'Board / Zoë';
  let link = '';
  /** @param address a different page: only the part after the `#` may be the same */
  const goTo = async (page: Page, address: string) => {
    await page.goto('/dashboard');
    await page.goto(address);
    await page.getByRole('button', { name: 'Join Room' }).click();
  };
  const makeLink = () =>
    ada.page.evaluate(async (name) => {
      const response = await fetch(`/api/livekit/rooms/${encodeURIComponent(name)}/invites`, {
        method: 'POST',
        headers: { authorization: `Bearer ${localStorage.getItem('token')}` },
      });
      const { url }: { url: string } = await response.json();
      return url;
    }, ROOM);

  it('is closed by whoever made it', async () => {
    const { page } = ada;
    await goTo(page, `/live-call/${encodeURIComponent(ROOM)}`);
    await connected(page).waitFor();
    await page.getByRole('button', { name: 'Your room' }).click();
    await page.getByRole('switch', { name: 'By invitation' }).click();
    await page.getByRole('switch', { name: 'Lobby' }).click();
    await page.getByText('Only people with your link may join.').waitFor();
    await lookedAt(page, 'room-owner-settings');
    await page.getByRole('button', { name: 'Close' }).click();
    await goTo(eve.page, `/live-call/${encodeURIComponent(ROOM)}`);
    await eve.page.getByText('This room is by invitation. Ask its owner for the link.').waitFor();
  });

  it('opens to a link, once its owner lets one in', async () => {
    link = await makeLink();
    await goTo(eve.page, link);
    await eve.page.getByText('has been asked to let you in').waitFor();
    await lookedAt(eve.page, 'room-guest-lobby');
    await ada.page.getByText('is waiting in the lobby.').waitFor();
    await lookedAt(ada.page, 'room-owner-knock');
    await ada.page.getByRole('button', { name: 'Let in' }).click();
    await connected(eve.page).waitFor();
    await people(ada.page).getByText('Eve Moneypenny').waitFor();
    expect(await eve.page.getByRole('button', { name: 'Your room' }).count()).toBe(0);
  });

  it('puts somebody out, whom the old link brings back no more', async () => {
    await people(ada.page).getByRole('button', { name: 'Options for Eve Moneypenny' }).click();
    await lookedAt(ada.page, 'room-owner-menu');
    await ada.page.getByRole('menuitem', { name: 'Remove' }).click();
    await ada.page.getByRole('button', { name: 'Remove' }).click();
    await eve.page.getByText('You were removed from the room.').waitFor();
    await people(ada.page).getByText('Eve Moneypenny').waitFor({ state: 'detached' });
    await goTo(eve.page, link);
    await eve.page.getByText('You were removed from this room. Ask its owner for a new link.').waitFor();
    await goTo(eve.page, await makeLink());
    await eve.page.getByText('has been asked to let you in').waitFor();
    expect(ada.errors).toEqual([]);
  });

  /** Light and dark, wide and narrow: pictures for people to review, and accessibility checks. */
  async function lookedAt(page: Page, name: string): Promise<void> {
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.evaluate((chosen) => {
        document.documentElement.dataset.theme = chosen;
      }, theme);
      for (const [width, height] of [
        [390, 844],
        [1440, 900],
      ] as const) {
        await page.setViewportSize({ width, height });
        await picture(page, `${name}-${width}-${theme}`);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
          true,
        );
      }
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    }
  }
});

const connected = (page: Page) => page.getByRole('status').filter({ hasText: /^Connected to room: / });
const people = (page: Page) => page.getByRole('region', { name: 'Participants' });

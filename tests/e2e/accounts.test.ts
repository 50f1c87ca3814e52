import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser, picture, type Visit, visit } from './support/browser.ts';
import { register } from './support/journey.ts';
import { type RunningServer, startServer, withoutSpeech } from './support/server.ts';

const PASSWORD = 'a long enough passphrase';
const ROOM = 'Support desk';

describe.skipIf(!chromiumPath)('accounts (skipped where no Chromium is)', () => {
  let server: RunningServer;
  let browser: Browser;
  let laptop: Visit;
  let phone: Visit;

  beforeAll(async () => {
    server = await startServer({ env: withoutSpeech });
    browser = await launchBrowser();
    laptop = await visit(browser, server.url);
    phone = await visit(browser, server.url, {
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1',
    });
    await register(laptop.page);
    await signIn(phone.page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function signIn(page: Page, password = PASSWORD): Promise<void> {
    await page.goto('/login');
    await page.getByLabel('Email address').fill('ada.lovelace@sigma.example');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/dashboard');
  }

  /** Starts from a newly opened page, so that leftovers of an earlier test are not in the way. */
  async function openSettings(page: Page, tab: string) {
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await dialog.getByRole('tab', { name: tab }).click();
    return dialog;
  }

  const shutsOut = async (page: Page) => {
    const { violations } = await new AxeBuilder({ page }).include('[role=dialog]').analyze();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  };

  it('ends a session from another device, and its live room with it', async () => {
    const { page } = phone;
    await page.goto('/live-call');
    await page.getByPlaceholder('Enter room name').fill(ROOM);
    await page.getByRole('button', { name: 'Join Room' }).click();
    await page.getByText(`Connected to room: ${ROOM}`).waitFor();
    const settings = await openSettings(laptop.page, 'Account and security');
    await settings.getByRole('button', { name: 'End Safari on iPhone' }).click();
    await settings.getByLabel('Your password').fill(PASSWORD);
    await settings.getByRole('button', { name: 'End session' }).click();
    await page.getByText('You were removed from the room.').waitFor();
    // The notice of the sign-out names it, too.
    await settings.getByText('Safari on iPhone', { exact: true }).waitFor({ state: 'detached' });
    expect(await shutsOut(laptop.page)).toEqual([]);
    await picture(laptop.page, 'account-and-security');
    await page.goto('/conversations');
    await page.waitForURL('**/login');
    phone.errors.length = 0;
  });

  it('lets an owner invite somebody, who comes in by the link', async () => {
    const settings = await openSettings(laptop.page, 'Members');
    await settings.getByRole('radio', { name: 'By invitation' }).click();
    await settings.getByLabel('Email address').fill('grace@sigma.example');
    await settings.getByLabel('Role', { exact: true }).selectOption('Supervisor');
    await settings.getByRole('button', { name: 'Create link' }).click();
    const link = await settings.getByLabel('Invitation link').inputValue();
    expect(await shutsOut(laptop.page)).toEqual([]);
    await picture(laptop.page, 'members');

    const { page } = phone;
    await page.goto('/register');
    await page.getByLabel('Full name').fill('Eve');
    await page.getByLabel('Email address').fill('eve@sigma.example');
    for (const label of ['Password', 'Confirm password'])
      await page.getByLabel(label, { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByRole('alert').getByText('Registration is by invitation.').waitFor();

    await page.goto('about:blank');
    await page.goto(link);
    await page.getByLabel('Full name').fill('Grace Hopper');
    for (const label of ['Password', 'Confirm password'])
      await page.getByLabel(label, { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.waitForURL('**/dashboard');
    const graces = await openSettings(page, 'Account and security');
    expect(await graces.getByRole('tab').allTextContents()).toEqual(['Calls', 'Account and security']);
    phone.errors.length = 0;
  });

  it('shows owners who did what', async () => {
    const settings = await openSettings(laptop.page, 'Security log');
    await settings.getByText('grace@sigma.example signed in (new account)').waitFor();
    await settings.getByText('ada.lovelace@sigma.example ended a session').waitFor();
    expect(await shutsOut(laptop.page)).toEqual([]);
    await picture(laptop.page, 'security-log');
    expect(laptop.errors).toEqual([]);
  });

  it('changes the password, and lets nobody in with the old one', async () => {
    const settings = await openSettings(laptop.page, 'Account and security');
    await settings.getByLabel('Current password').fill(PASSWORD);
    await settings.getByLabel('New password').fill('another long passphrase');
    await settings.getByRole('button', { name: 'Change password' }).click();
    await laptop.page.getByText('Your password was changed.').waitFor();
    const again = await visit(browser, server.url);
    await again.page.goto('/login');
    await again.page.getByLabel('Email address').fill('ada.lovelace@sigma.example');
    await again.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await again.page.getByRole('button', { name: 'Sign in' }).click();
    await again.page.getByText('Failed to sign in. Please check your credentials.').waitFor();
    await signIn(again.page, 'another long passphrase');
  });
});

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Registers a new person on the page and arrives at the dashboard. */
export async function register(page: Page, name = 'Ada Lovelace'): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Email address').fill(`${name.replaceAll(' ', '.').toLowerCase()}@sigma.example`);
  await page.getByLabel('Password', { exact: true }).fill('a long enough passphrase');
  await page.getByLabel('Confirm password', { exact: true }).fill('a long enough passphrase');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.waitForURL('**/dashboard');
}

/** Opens a call with the demo agent and waits for its welcome. */
export async function openCall(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Start New Call' }).first().click();
  await page.waitForURL('**/call-simulator');
  await transcript(page).getByText('Brightwater').first().waitFor();
}

export const transcript = (page: Page) => page.getByRole('region', { name: 'Transcript' });

/** The text for screen readers: each reply once, when it is complete; nothing before. */
export const wholeReply = (page: Page) => page.locator('p[aria-live="polite"]');

/** Sends a message and returns the text of the next reply, once it is complete. */
export async function ask(page: Page, question: string): Promise<string> {
  const announced = wholeReply(page);
  const turns = transcript(page).getByRole('listitem');
  const before = await turns.count();
  await page.getByPlaceholder('Type your message...').fill(question);
  await page.getByRole('button', { name: 'Send message' }).click();
  // Counts replies, because a fast one may leave no visible moment without one.
  await expect.poll(() => turns.count()).toBe(before + 2);
  await expect.poll(() => announced.textContent()).not.toBe('');
  return (await announced.textContent()) ?? '';
}

/** The session's token, as the page keeps it. */
export const tokenOf = (page: Page) =>
  page.evaluate(() => Object.values(localStorage).find((value) => /^[\w-]{43}$/.test(value)));

/** Makes an agent of the signed-in user. @returns its id */
export async function makeAgent(
  page: Page,
  url: string,
  companyInfo = '# Opening hours\nWe are open Monday to Friday from nine to six.',
): Promise<string> {
  const created = await fetch(`${url}/api/agents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(page)}` },
    body: JSON.stringify({
      name: 'Luna',
      companyName: 'Harbor Lane Cycles',
      personality: 'Friendly and brief.',
      companyInfo,
      prompts: [],
    }),
  });
  expect(created.status).toBe(201);
  return (await created.json())._id;
}

/** Waits until the server can hear and speak: both load after it reports ready. */
export async function earsReady(page: Page, url: string): Promise<void> {
  const token = await tokenOf(page);
  await expect
    .poll(
      async () => {
        const response = await fetch(`${url}/api/status`, { headers: { authorization: `Bearer ${token}` } });
        const { ears, voice } = await response.json();
        return [ears.status.state, voice.status.state];
      },
      { timeout: 120_000, interval: 250 },
    )
    .toEqual(['ready', 'ready']);
}

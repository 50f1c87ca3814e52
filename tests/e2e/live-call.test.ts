import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clipNamed } from '../speech/speech-set.ts';
import { freePort } from '../support/free-port.ts';
import { freshDataDir } from '../support/fresh-data-dir.ts';
import { chromiumPath, launchBrowser, picture, takeHeard, type Visit, visit } from './support/browser.ts';
import { soundsLike } from './support/hearing.ts';
import { earsReady, register, tokenOf } from './support/journey.ts';
import { microphoneOnDemand, speak } from './support/microphone.ts';
import { hearsOthers, listenToRoom } from './support/room.ts';
import { type RunningServer, startServer } from './support/server.ts';

const models = process.env.SIGMA_TEST_MODELS;
const hasEars = models !== undefined && existsSync(join(models, 'hearing'));
const ROOM = 'Support desk / Zoë';

describe.skipIf(!chromiumPath || !hasEars)('a live call (skipped where no Chromium or no ears are)', () => {
  let server: RunningServer;
  let browser: Browser;
  let port: string;
  let dataDir: string;
  let ada: Visit;
  let grace: Visit;

  beforeAll(async () => {
    dataDir = await freshDataDir();
    port = String(await freePort());
    server = await startServer({ dataDir, env: { PORT: port } });
    browser = await launchBrowser();
    ada = await person('Ada Lovelace');
    grace = await person('Grace Hopper');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function person(name: string): Promise<Visit> {
    const visitor = await visit(browser, server.url);
    await microphoneOnDemand(visitor.context);
    await listenToRoom(visitor.context);
    await register(visitor.page, name);
    return visitor;
  }

  it('brings somebody into a room that an agent joins, who greets aloud', async () => {
    const { page } = ada;
    await earsReady(page, server.url);
    await page.getByRole('link', { name: 'Live Call' }).click();
    await page.getByPlaceholder('Enter room name').fill(ROOM);
    await picture(page, 'live-call-join');
    expect(await shutsOut(page)).toEqual([]);
    await page.getByRole('button', { name: 'Join Room' }).click();
    await connected(page).waitFor();
    expect(await connected(page).textContent()).toBe(`Connected to room: ${ROOM}`);
    await people(page).getByText('You (Local)').waitFor();
    await people(page).getByText('Sigma', { exact: true }).waitFor();
    await captions(page).getByText('Brightwater').first().waitFor();
    await agentIs(page, 'Listening');
    await picture(page, 'live-call-in-room');
    await soundsLike(page, /brightwater|sigma|help/i);
  });

  it('answers what is asked aloud', async () => {
    await speak(ada.page, [300, 'd-sentence-02', 800]);
    await captions(ada.page)
      .getByText(/what time do you open on sunday/i)
      .first()
      .waitFor();
    await agentIs(ada.page, 'Speaking');
    await agentIs(ada.page, 'Listening');
    await soundsLike(ada.page, /sunday|closed|open/i);
  });

  it('falls silent when somebody takes the floor', async () => {
    await speak(ada.page, [300, 'd-sentence-02', 600]);
    await agentIs(ada.page, 'Speaking');
    await speak(ada.page, ['d-interruption-02', 600]);
    await agentIs(ada.page, 'Listening');
    await takeHeard(ada.page);
  });

  it('lets people hear each other, and shows who is muted', async () => {
    await grace.page.goto(`/live-call/${encodeURIComponent(ROOM)}`);
    expect(await grace.page.getByPlaceholder('Enter room name').inputValue()).toBe(ROOM);
    await grace.page.getByRole('button', { name: 'Join Room' }).click();
    await people(grace.page).getByText('Ada Lovelace').waitFor();
    await people(ada.page).getByText('Grace Hopper').waitFor();
    await agentIs(ada.page, 'Listening');
    await hearsOthers(ada.page, 2);
    await takeHeard(ada.page);
    await speak(grace.page, [300, 'd-sentence-01', 500]);
    await soundsLike(ada.page, clipNamed('d-sentence-01').text);
    // Waits until the words are stored, since the server is killed later.
    await captions(ada.page)
      .getByText(/pair of shoes/i)
      .first()
      .waitFor();
    await picture(ada.page, 'live-call-two-people');
    expect(await shutsOut(ada.page)).toEqual([]);
    await grace.page.getByRole('button', { name: 'Mute microphone' }).click();
    await people(ada.page)
      .getByRole('listitem')
      .filter({ hasText: 'Grace Hopper' })
      .getByText('muted', { exact: true })
      .waitFor();
  });

  it('says who has left, and goes on', async () => {
    await grace.page.getByRole('button', { name: 'Hang up' }).click();
    await grace.page.getByPlaceholder('Enter room name').waitFor();
    expect(await grace.page.getByPlaceholder('Enter room name').inputValue()).toBe('');
    await people(ada.page).getByText('Grace Hopper').waitFor({ state: 'hidden' });
  });

  it('comes back by itself after the server was killed, with the agent', async () => {
    await server.stop('SIGKILL');
    await ada.page.getByText('Connection lost. Reconnecting…').waitFor();
    server = await startServer({ dataDir, env: { PORT: port } });
    await connected(ada.page).waitFor();
    await people(ada.page).getByText('Sigma', { exact: true }).waitFor();
    // The media client reports a killed server as errors; so does the client of a person who is just hanging up.
    for (const { errors } of [ada, grace]) errors.length = 0;
  });

  it('keeps the call in the history of everybody who was in it', async () => {
    await ada.page.getByRole('button', { name: 'Hang up' }).click();
    const [adas] = await recordsOf(ada.page, server.url, /time do you open/i);
    expect(adas?.roomName).toBe(ROOM);
    const graces = adas?.messages.find(({ content }) => /pair of shoes/i.test(content));
    expect(graces).toMatchObject({ role: 'user', saidBy: 'Grace Hopper' });
    const [hers] = await recordsOf(grace.page, server.url, /pair of shoes/i);
    expect(hers?.messages.some(({ content }) => /time do you open/i.test(content))).toBe(false);
    await ada.page.goto(`/conversations/${adas?._id}`);
    await ada.page
      .getByText(/time do you open/i)
      .first()
      .waitFor();
    await ada.page.getByText('Grace Hopper').first().waitFor();
    await picture(ada.page, 'live-call-history');
  });

  it('joins the test room without a name, with the agent in it', async () => {
    const { page } = ada;
    await page.goto('/live-call');
    await page.getByRole('button', { name: 'Join Test Room' }).click();
    expect(await connected(page).textContent()).toBe('Connected to room: test-room');
    await people(page).getByText('Sigma', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Agents' }).first().click();
    await page.getByRole('heading', { name: 'AI Agents' }).waitFor();
    expect(unexpected([...ada.errors, ...grace.errors])).toEqual([]);
  });
});

interface StoredCall {
  _id: string;
  title: string;
  roomName?: string;
  messages: { role: string; content: string; saidBy?: string }[];
}

/** The calls in a person's history that contain these words. */
async function recordsOf(page: Page, url: string, words: RegExp): Promise<StoredCall[]> {
  const headers = { authorization: `Bearer ${await tokenOf(page)}` };
  const all: StoredCall[] = await (await fetch(`${url}/api/conversations`, { headers })).json();
  return all.filter(({ messages }) => messages.some(({ content }) => words.test(content)));
}

/** Accessibility problems of the current page (WCAG 2.2 AA). */
async function shutsOut(page: Page) {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

const connected = (page: Page) => page.getByRole('status').filter({ hasText: /^Connected to room: / });
const people = (page: Page) => page.getByRole('region', { name: 'Participants' });
const captions = (page: Page) => page.getByRole('region', { name: 'Captions' });

const agentIs = (page: Page, state: string) => page.getByText(`Sigma: ${state}`, { exact: true }).waitFor();

/** The browser reports a killed server, too. */
const unexpected = (errors: string[]) =>
  errors.filter(
    (error) => !/ERR_CONNECTION_REFUSED|WebSocket connection|Failed to fetch|status of 50/.test(error),
  );

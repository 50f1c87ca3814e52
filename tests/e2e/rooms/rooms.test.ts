import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CuttableLine, cuttableLine } from '../../support/cuttable-line.ts';
import { RoomPage, type RoomPages, serveRoomPages } from '../../support/room-page.ts';
import { tokenFor } from '../../support/room-peers.ts';
import { embeddedRooms, livekitRooms, type RunningRooms } from '../../support/room-servers.ts';
import { runsEveryday, runsRest } from '../../support/test-part.ts';
import { chromiumPath, launchBrowser } from '../support/browser.ts';

const SOON = { interval: 100 };
const LOW = 500;
const HIGH = 1_200;
/** Decibels that a present tone has at least, and an absent one at most. */
const HEARD = -50;
const SILENT = -75;

const usual = { name: 'one connection each', twoConnections: [false, false] };
const modes = [
  usual,
  { name: 'two connections each', twoConnections: [true, true] },
  { name: 'one of each kind', twoConnections: [true, false] },
];
/** Daily, our own server as the page connects to it; otherwise also the other ways to connect, and LiveKit. */
const parts = [
  { kind: embeddedRooms, modes: [usual], isWhole: true, runs: runsEveryday },
  { kind: embeddedRooms, modes: modes.filter((mode) => mode !== usual), isWhole: false, runs: runsRest },
  { kind: livekitRooms, modes, isWhole: true, runs: runsRest },
].filter(({ runs }) => runs);

for (const { kind, modes, isWhole } of parts) {
  const missing = kind.missing ?? (chromiumPath ? null : 'there is no Chromium');
  const suite = missing === null ? describe : describe.skip;
  suite(`livekit-client in Chromium and ${kind.name}${missing ? ` (skipped: ${missing})` : ''}`, () => {
    let server: RunningRooms;
    let browser: Browser;
    let pages: RoomPages;
    let opened: RoomPage[];
    let lines: CuttableLine[];

    beforeAll(async () => {
      [server, browser, pages] = await Promise.all([kind.start(), launchBrowser(), serveRoomPages()]);
      opened = [];
      lines = [];
    });
    afterAll(async () => {
      await browser.close();
      await pages.close();
      await server.stop();
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((page) => page.close()));
      await Promise.all(lines.splice(0).map((line) => line.close()));
      expect(server.failures).toEqual([]);
    });

    const soon = (what: () => unknown) => expect.poll(what, SOON);
    const join = async (
      room: string,
      identity: string,
      options: { twoConnections?: boolean | undefined; grant?: object; url?: string } = {},
    ) => {
      const page = await RoomPage.open(browser, pages);
      opened.push(page);
      const token = await tokenFor(server, { room, ...options.grant }, { identity });
      await page.do('join', {
        url: options.url ?? server.url,
        token,
        twoConnections: options.twoConnections ?? false,
      });
      return page;
    };
    const hears = (page: RoomPage, identity: string, frequency: number) =>
      page.do<number>('hears', identity, frequency);

    for (const { name, twoConnections } of modes) {
      describe(name, () => {
        const both = async () => {
          const room = randomUUID();
          const ann = await join(room, 'ann', { twoConnections: twoConnections[0] });
          const bob = await join(room, 'bob', { twoConnections: twoConnections[1] });
          await Promise.all([ann.do('hum', LOW), bob.do('hum', HIGH)]);
          await soon(() => hears(ann, 'bob', HIGH)).toBeGreaterThan(HEARD);
          await soon(() => hears(bob, 'ann', LOW)).toBeGreaterThan(HEARD);
          return { ann, bob, room };
        };

        it('carries both voices, muting, taking back and publishing again', async () => {
          const { ann, bob } = await both();
          expect(await hears(ann, 'bob', LOW)).toBeLessThan(HEARD);
          await soon(() => bob.happened()).toContain('speaks:ann');
          await ann.do('mute');
          await soon(() => bob.happened()).toContain('muted:ann');
          await soon(() => hears(bob, 'ann', LOW)).toBeLessThan(SILENT);
          await ann.do('unmute');
          await soon(() => hears(bob, 'ann', LOW)).toBeGreaterThan(HEARD);
          await ann.do('unhum');
          await soon(() => bob.happened()).toContain('unpublished:ann');
          await ann.do('hum', HIGH);
          await soon(() => hears(bob, 'ann', HIGH)).toBeGreaterThan(HEARD);
          expect([...ann.errors, ...bob.errors]).toEqual([]);
        });

        it('carries pictures beside the sound', async () => {
          const { ann, bob } = await both();
          await ann.do('film');
          await soon(async () => (await bob.do<{ width: number }>('pictures')).width).toBeGreaterThanOrEqual(
            320,
          );
          await soon(async () => (await bob.do<{ frames: number }>('pictures')).frames).toBeGreaterThan(20);
          await soon(() => hears(bob, 'ann', LOW)).toBeGreaterThan(HEARD);
          expect([...ann.errors, ...bob.errors]).toEqual([]);
        });

        it('carries data, quick and reliable, and long texts', async () => {
          const { ann, bob } = await both();
          await ann.do('say', 'reliable', { reliable: true, topic: 'chat' });
          await bob.do('say', 'quick', { reliable: false });
          const long = 'Grüße 🎧 '.repeat(5_000);
          await bob.do('sendText', long);
          await soon(() => bob.do('data')).toEqual([{ text: 'reliable', from: 'ann', topic: 'chat' }]);
          await soon(async () => (await ann.do<{ text: string }[]>('data')).map(({ text }) => text)).toEqual(
            expect.arrayContaining(['quick', long]),
          );
        });

        it('lets people choose whom they hear, and who hears them', async () => {
          const { ann, bob } = await both();
          await bob.do('subscribe', 'ann', false);
          await soon(() => bob.happened()).toContain('unsubscribed:ann');
          await bob.do('subscribe', 'ann', true);
          await soon(() => hears(bob, 'ann', LOW)).toBeGreaterThan(HEARD);
          await bob.do('allow', false, []);
          await soon(() => ann.happened()).toContain('unsubscribed:bob');
          await bob.do('allow', true, []);
          await soon(() => hears(ann, 'bob', HIGH)).toBeGreaterThan(HEARD);
        });

        it('goes on after a cut line, and after a connection made anew', async () => {
          const room = randomUUID();
          const line = await cuttableLine(server.url);
          lines.push(line);
          const ann = await join(room, 'ann', { twoConnections: twoConnections[0], url: line.url });
          const bob = await join(room, 'bob', { twoConnections: twoConnections[1] });
          await Promise.all([ann.do('hum', LOW), bob.do('hum', HIGH)]);
          await soon(() => hears(bob, 'ann', LOW)).toBeGreaterThan(HEARD);
          line.cut();
          await soon(() => ann.happened()).toContain('reconnected');
          await soon(() => hears(bob, 'ann', LOW)).toBeGreaterThan(HEARD);
          await ann.do('say', 'still here', { reliable: true });
          await soon(async () => (await bob.do<{ text: string }[]>('data')).map(({ text }) => text)).toEqual([
            'still here',
          ]);
          expect(await bob.happened()).not.toContain('left:ann');
          await ann.do('simulate', 'full-reconnect');
          const returns = async () =>
            (await ann.happened()).filter((event) => event === 'reconnected').length;
          await soon(returns).toBe(2);
          await soon(() => hears(bob, 'ann', LOW)).toBeGreaterThan(HEARD);
          await soon(() => hears(ann, 'bob', HIGH)).toBeGreaterThan(HEARD);
        });

        it('is there again for everybody after the server was restarted', async () => {
          const { ann, bob } = await both();
          await server.restart();
          await expect.poll(() => ann.happened()).toContain('reconnected');
          await expect.poll(() => bob.happened()).toContain('reconnected');
          await soon(() => hears(ann, 'bob', HIGH)).toBeGreaterThan(HEARD);
          await soon(() => hears(bob, 'ann', LOW)).toBeGreaterThan(HEARD);
        });
      });
    }

    if (!isWhole) return;

    it('carries six people at once, each heard by each', async () => {
      const room = randomUUID();
      const people = await Promise.all(
        Array.from({ length: 6 }, (_, n) => join(room, `p${n}`, { twoConnections: n % 2 === 0 })),
      );
      await Promise.all(people.map((page, n) => page.do('hum', 400 + 150 * n)));
      for (const [n, page] of people.entries())
        for (let other = 0; other < people.length; other++)
          if (other !== n)
            await soon(() => hears(page, `p${other}`, 400 + 150 * other)).toBeGreaterThan(HEARD);
    });

    it('tells a page why it may not come in', async () => {
      const page = await RoomPage.open(browser, pages);
      opened.push(page);
      const token = await tokenFor(server, { room: 'any' }, { ttl: -3600 });
      await expect(page.do('join', { url: server.url, token })).rejects.toThrow(/401|token|authoriz|denied/i);
    });
  });
}

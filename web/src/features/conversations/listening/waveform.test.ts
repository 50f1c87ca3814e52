import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { barCount, knownWaveform, loadWaveform, outline } from './waveform.ts';

let fetched: string[];
let answer: (path: string) => Response | Promise<Response>;
let next = 0;
const aLink = () => {
  next += 1;
  return `/api/recordings/w${next}?signature=old`;
};
const noRenewal = async () => null;
const { signal: never } = new AbortController();

beforeEach(() => {
  fetched = [];
  answer = () => new Response(new Uint8Array(8));
  vi.stubGlobal('fetch', async (url: URL) => {
    fetched.push(url.pathname + url.search);
    return answer(url.pathname + url.search);
  });
  vi.stubGlobal(
    'OfflineAudioContext',
    class {
      async decodeAudioData() {
        const samples = Float32Array.from({ length: 16_000 }, (_, n) => (n < 8_000 ? 0.1 : 0.4));
        return { duration: 2, getChannelData: () => samples };
      }
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

describe('the outline of a sound', () => {
  it('shows where it is loud, against its loudest place', () => {
    const sound = Float32Array.from({ length: 400 }, (_, n) => (n < 200 ? 0.1 : 0.4));
    expect(outline(sound, 4).map((bar) => Math.round(bar * 100) / 100)).toEqual([0.25, 0.25, 1, 1]);
  });

  it('does not blow up silence', () => {
    expect(Math.max(...outline(new Float32Array(100).fill(0.001), 10))).toBeLessThan(0.05);
    expect(outline(new Float32Array(0), 3)).toEqual([0, 0, 0]);
  });

  it('has more bars for what is longer, within bounds', () => {
    expect([0, 4, 3_600].map(barCount)).toEqual([14, 36, 72]);
  });
});

describe('loading', () => {
  it('fetches a recording once, whatever its link is signed with', async () => {
    const link = aLink();
    const waveform = await loadWaveform(link, noRenewal, never);
    expect([waveform.seconds, waveform.bars.length]).toEqual([2, 18]);
    await loadWaveform(link.replace('old', 'new'), noRenewal, never);
    expect(fetched).toEqual([link]);
    expect(knownWaveform(link)).toBe(waveform);
  });

  it('takes a new link where the old one has expired', async () => {
    const link = aLink();
    const newer = link.replace('old', 'new');
    answer = (path) => (path === newer ? new Response(new Uint8Array(8)) : new Response('', { status: 403 }));
    await loadWaveform(link, async () => newer, never);
    expect(fetched).toEqual([link, newer]);
  });

  it('rejects for one that has gone or is too large, and goes on with others', async () => {
    answer = () => new Response('', { status: 404 });
    await expect(loadWaveform(aLink(), noRenewal, never)).rejects.toThrow();
    answer = () => new Response('', { headers: { 'content-length': '90000000' } });
    await expect(loadWaveform(aLink(), noRenewal, never)).rejects.toThrow();
    answer = () => new Response(new Uint8Array(8));
    await expect(loadWaveform(aLink(), noRenewal, never)).resolves.toBeDefined();
  });

  it('fetches few at a time, and none that nobody looks at any more', async () => {
    const finish: (() => void)[] = [];
    answer = () =>
      new Promise((resolve) => {
        finish.push(() => resolve(new Response(new Uint8Array(8))));
      });
    const gone = new AbortController();
    const links = [aLink(), aLink(), aLink(), aLink()];
    const loading = links.map((link, place) =>
      loadWaveform(link, noRenewal, place === 2 ? gone.signal : never),
    );
    await expect.poll(() => fetched).toEqual(links.slice(0, 2));
    gone.abort();
    await expect(loading[2]).rejects.toBeDefined();
    for (const each of finish.splice(0)) each();
    await expect.poll(() => fetched).toEqual([links[0], links[1], links[3]]);
    for (const each of finish.splice(0)) each();
    await Promise.all([loading[0], loading[1], loading[3]]);
  });
});

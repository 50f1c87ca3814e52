import { act, render } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { MicPulse } from './mic-pulse.tsx';

const rings = () =>
  [...document.querySelectorAll<HTMLElement>('[data-mic-ring]')].map((ring) =>
    Number(/scale\(([\d.]+)\)/.exec(ring.style.transform)?.[1]),
  );
/** Advances time like a browser that draws every 16 ms. */
async function pass(ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += 16) await act(() => vi.advanceTimersByTimeAsync(16));
}

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'requestAnimationFrame', 'cancelAnimationFrame', 'performance'],
  });
});

it('adds a ring every 150 ms, lets it grow, and drops it once its scale reaches 2', async () => {
  render(<MicPulse level={() => 0.5} />);
  expect(rings()).toEqual([1]);
  await pass(160);
  expect(rings()).toHaveLength(2);
  await pass(150);
  expect(rings()).toHaveLength(3);
  expect(rings()[0]).toBeGreaterThan(rings()[2] ?? 0);
  await pass(2_000);
  expect(Math.max(...rings())).toBeLessThan(2);
  expect(Math.max(...rings())).toBeGreaterThan(1.7);
  expect(rings().length).toBeLessThan(9);
});

it('stands still for who wants no motion', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      Object.assign(new EventTarget(), {
        matches: query.includes('reduce'),
        media: query,
        onchange: null,
        addListener: () => {},
        removeListener: () => {},
      }) as MediaQueryList,
  );
  render(<MicPulse level={() => 0.5} />);
  const before = rings();
  await pass(500);
  expect(rings()).toEqual(before);
  expect(before).toHaveLength(1);
});

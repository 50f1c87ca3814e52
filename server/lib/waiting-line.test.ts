import { expect, it } from 'vitest';
import { WaitingLine } from './waiting-line.ts';

/** A queue by a clock that the test sets. */
function aLine() {
  const clock = { ms: 0 };
  return { clock, line: new WaitingLine(() => clock.ms) };
}

it('lets nobody wait while it is empty, and each one longer than those before', () => {
  const { line } = aLine();
  expect(line.waitMs).toBe(0);
  const waits = Array.from({ length: 3 }, () => {
    line.join();
    return line.waitMs;
  });
  expect(waits).toEqual([300, 600, 900]);
});

it('knows who is next, also when somebody between goes', () => {
  const { line } = aLine();
  const [first, second, third] = [line.join(), line.join(), line.join()];
  second.leave(false);
  expect([first.isNext, third.isNext]).toEqual([true, false]);
  first.leave(true);
  expect(third.isNext).toBe(true);
});

it('learns how fast the voice is from one to the next', () => {
  const { clock, line } = aLine();
  for (let n = 0; n < 40; n++) {
    const [place, next] = [line.join(), line.join()];
    clock.ms += 800;
    place.leave(true);
    clock.ms += 800;
    next.leave(true);
  }
  line.join();
  expect(line.waitMs).toBeCloseTo(800, 0);
});

it('learns nothing from what was remembered, or given up', () => {
  const { clock, line } = aLine();
  line.join().leave(true);
  const givenUp = line.join();
  clock.ms += 60_000;
  givenUp.leave(false);
  line.join();
  expect(line.waitMs).toBe(300);
});

it('counts work by its size: who brings more makes others wait longer, and its pace is that of a unit', () => {
  const clock = { ms: 0 };
  const line = new WaitingLine(() => clock.ms, 10);
  const long = line.join(60);
  line.join(5);
  expect(line.waitMs).toBe(650);
  clock.ms = 1_200;
  long.leave(true);
  // 20 ms a unit now and 10 before: the newest weighs three tenths.
  expect(line.waitMs).toBe(5 * 13);
});

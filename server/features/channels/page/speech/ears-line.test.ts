import { expect, it } from 'vitest';
import { createFakeRecognition } from '#server/engines/recognition/fake';
import { EarsLine } from './ears-line.ts';

/** Ears that answer when the test says so, by the test's clock. */
function someEars() {
  const clock = { at: 0 };
  const waiting: { resolve: (words: string) => void; reject: (error: Error) => void }[] = [];
  const engine = createFakeRecognition({
    otherwise: () => new Promise((resolve, reject) => waiting.push({ resolve, reject })),
  });
  const line = new EarsLine(engine, () => clock.at);
  const say = (urgency: 'final' | 'partial') =>
    line.recognition.recognize({ samples: new Float32Array(1), urgency });
  return { line, say, waiting, clock };
}

it('counts who waits to be understood, at the pace of late', async () => {
  const { line, say, waiting, clock } = someEars();
  expect(line.waitMs).toBe(0);
  const said = [say('final'), say('final'), say('final')];
  const guess = line.waitMs;
  expect(guess).toBeGreaterThan(0);
  for (const { resolve } of waiting) {
    clock.at += 2_000;
    resolve('hello');
    await Promise.resolve();
  }
  expect(await Promise.all(said)).toEqual(['hello', 'hello', 'hello']);
  expect(line.waitMs).toBe(0);
  void say('final');
  void say('final');
  void say('final');
  expect(line.waitMs).toBeGreaterThan(2 * guess);
});

it('does not count what is only shown, nor what failed', async () => {
  const { line, say, waiting } = someEars();
  void say('partial');
  expect(line.waitMs).toBe(0);
  const failing = say('final');
  waiting.at(-1)?.reject(new Error('Deaf.'));
  await expect(failing).rejects.toThrow('Deaf.');
  expect(line.waitMs).toBe(0);
});

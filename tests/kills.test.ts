import { expect, it } from 'vitest';
import { killAgain } from './kills/run.ts';

// `npm run bench kills` does it 200 times.
it('keeps what was acknowledged, and answers it once, whenever the server is killed', {
  timeout: 600_000,
}, async () => {
  const { kills, acknowledged } = await killAgain({ kills: 4, seed: 1 });
  expect(new Set(kills.map(({ moment }) => moment)).size).toBe(4);
  expect(acknowledged).toBeGreaterThan(1);
  expect(kills.filter(({ problems }) => problems.length > 0)).toEqual([]);
});

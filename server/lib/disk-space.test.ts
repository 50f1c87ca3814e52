import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diskSpaceOf } from './disk-space.ts';

it('is that of the disk a path would lie on, with floors that fit it', async () => {
  const { free, floor, databaseFloor } = await diskSpaceOf(join(tmpdir(), 'not', 'there', 'yet'));
  const { blocks, bsize } = await statfs(tmpdir());
  expect(floor).toBe(Math.min(500_000_000, 0.05 * blocks * bsize));
  expect(databaseFloor).toBe(Math.min(64 * 1024 * 1024, floor / 2));
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThan(blocks * bsize);
});

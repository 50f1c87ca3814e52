import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const lockSchema = z.object({ packages: z.record(z.string(), z.looseObject({ version: z.string() })) });
const bomSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(
    z.looseObject({ name: z.string(), version: z.string(), hashes: z.array(z.unknown()).optional() }),
  ),
});

it('lists every package of the lock file, with what proves that it is the one', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'sigma-sbom-test-'));
  const file = join(scratch, 'bom.json');
  try {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/sbom.js', file], { cwd: root });
    expect([status, String(stderr)]).toEqual([0, '']);
    const { components } = bomSchema.parse(read(file));
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
    const { '': _self, ...packages } = lockSchema.parse(read(join(root, 'package-lock.json'))).packages;
    const wanted = Object.entries(packages).map(
      ([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`,
    );
    expect(wanted.length).toBeGreaterThan(500);
    expect(wanted.filter((name) => !listed.has(name))).toEqual([]);
    expect(components.filter(({ hashes }) => !hashes?.length).map(({ name }) => name)).toEqual([]);
  } finally {
    rmSync(scratch, { recursive: true });
  }
});

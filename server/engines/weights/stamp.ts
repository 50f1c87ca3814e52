import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { packageSpec } from './bundles.ts';
import type { Bundle, WeightsSource } from './contract.ts';

const STAMP_FILE = '.sigma-weights.json';

const stampSchema = z.object({
  packages: z.array(
    z.object({
      spec: z.string(),
      sha512: z.string().optional(),
      sha256: z.string().nullable().optional(),
      files: z.unknown(),
    }),
  ),
  /** Checksums of the downloads, in the same order; absent in stamps of older versions. */
  came: z.array(z.string()).optional(),
  files: z.array(z.object({ path: z.string(), bytes: z.number() })),
});
type Stamp = z.infer<typeof stampSchema>;

/** The packages that a folder must have been made from. */
const originOf = (bundle: Bundle): Stamp['packages'] => bundle.packages.map(originOfOne);

function originOfOne(pkg: WeightsSource): Stamp['packages'][number] {
  if (!('url' in pkg)) return { spec: packageSpec(pkg), sha512: pkg.sha512, files: pkg.layout.files };
  const files = pkg.layout.kind === 'whole' ? pkg.layout.to : pkg.layout.files.source;
  return { spec: pkg.name, sha256: pkg.sha256, files };
}

/** Records the folder's packages and the size of every file, as the last step of unpacking. */
export async function writeStamp(dir: string, bundle: Bundle, came: readonly string[]): Promise<void> {
  const names = await readdir(dir, { recursive: true });
  const files: Stamp['files'] = [];
  for (const name of names.sort()) {
    const info = await stat(join(dir, name));
    if (info.isFile()) files.push({ path: name.replaceAll('\\', '/'), bytes: info.size });
  }
  const stamp: Stamp = { packages: originOf(bundle), came: [...came], files };
  await writeFile(join(dir, STAMP_FILE), `${JSON.stringify(stamp, null, 2)}\n`);
}

/**
 * Checks in a few milliseconds whether a folder holds the whole bundle: made from these packages, and every
 * file with its recorded size. False for a folder that is incomplete, of another version, or not ours.
 */
export async function isWhole(dir: string, bundle: Bundle): Promise<boolean> {
  try {
    const stamp = stampSchema.parse(JSON.parse(await readFile(join(dir, STAMP_FILE), 'utf8')));
    if (JSON.stringify(stamp.packages) !== JSON.stringify(originOf(bundle))) return false;
    const sizes = await Promise.all(stamp.files.map(async (file) => (await stat(join(dir, file.path))).size));
    return stamp.files.every((file, index) => sizes[index] === file.bytes);
  } catch {
    return false;
  }
}

/**
 * The checksums that a bundle's files had when they first came, in order: a repeated download without a
 * stated checksum must match. Empty if none are recorded.
 */
export async function rememberedChecksums(dir: string, bundle: Bundle): Promise<readonly string[]> {
  try {
    const stamp = stampSchema.parse(JSON.parse(await readFile(join(dir, STAMP_FILE), 'utf8')));
    const isSame = JSON.stringify(stamp.packages) === JSON.stringify(originOf(bundle));
    return (isSame && stamp.came) || [];
  } catch {
    return [];
  }
}

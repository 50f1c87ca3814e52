import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Whether what is written below a path is encrypted before it reaches the disk, as far as the system tells: Linux names what
 * a block device is made of, and marks those of dm-crypt (`Documentation/ABI/testing/sysfs-block-dm`).
 * @param path of a file or folder that exists
 * @param sys where the system's devices are
 * @returns null where it cannot be told: another system, files over the network, layers of a container
 */
export async function isDiskEncrypted(path: string, sys = '/sys'): Promise<boolean | null> {
  try {
    const { dev } = await stat(path, { bigint: true });
    return await isEncrypted(await realpath(join(sys, 'dev', 'block', deviceNumbers(dev))));
  } catch {
    return null;
  }
}

/** `major:minor`, out of the one number that Linux packs them into (`gnu_dev_major`, `gnu_dev_minor`). */
export function deviceNumbers(dev: bigint): string {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
}

/** @param device its folder among the system's devices */
async function isEncrypted(device: string): Promise<boolean> {
  const mapped = await readFile(join(device, 'dm', 'uuid'), 'utf8').catch(() => '');
  if (mapped.startsWith('CRYPT-')) return true;
  const below = await readdir(join(device, 'slaves')).catch(() => null);
  // A part of a disk lies in its disk's folder, which names what that one is made of.
  if (below === null) return (await isPart(device)) && isEncrypted(dirname(device));
  const each = await Promise.all(
    below.map(async (name) => isEncrypted(await realpath(join(device, 'slaves', name)))),
  );
  return each.length > 0 && each.every((isSealed) => isSealed);
}

const isPart = (device: string): Promise<boolean> =>
  stat(join(device, 'partition')).then(
    () => true,
    () => false,
  );

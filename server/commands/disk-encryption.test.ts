import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deviceNumbers, isDiskEncrypted } from './disk-encryption.ts';

let sys: string;
beforeEach(async () => {
  sys = await mkdtemp(join(tmpdir(), 'sigma-sys-'));
});
afterEach(() => rm(sys, { recursive: true }));

interface Device {
  of?: string[];
  uuid?: string;
  isPart?: true;
}
type Devices = Record<string, Device>;

/** Lays out devices as Linux does. @param devices by their folder; what each is made of, by their folders, and its `dm/uuid` */
async function system(devices: Devices) {
  const at = (device: string) => join(sys, 'devices', device);
  for (const [device, { uuid, isPart }] of Object.entries(devices)) {
    await mkdir(at(device), { recursive: true });
    if (isPart) await writeFile(join(at(device), 'partition'), '1\n');
    else await mkdir(join(at(device), 'slaves'), { recursive: true });
    if (!uuid) continue;
    await mkdir(join(at(device), 'dm'));
    await writeFile(join(at(device), 'dm', 'uuid'), `${uuid}\n`);
  }
  for (const [device, { of = [] }] of Object.entries(devices))
    for (const below of of) await symlink(at(below), join(at(device), 'slaves', below.replaceAll('/', '-')));
  const first = Object.keys(devices)[0] ?? '';
  const { dev } = await stat(sys, { bigint: true });
  const number = join(sys, 'dev', 'block', deviceNumbers(dev));
  await mkdir(dirname(number), { recursive: true });
  await symlink(at(first), number);
}

it.each<[string, Devices, boolean]>([
  [
    'LUKS on a part of a disk',
    { 'dm-0': { uuid: 'CRYPT-LUKS2-1', of: ['sda/sda1'] }, sda: {}, 'sda/sda1': { isPart: true } },
    true,
  ],
  [
    'a logical volume on LUKS',
    { 'dm-1': { uuid: 'LVM-1', of: ['dm-0'] }, 'dm-0': { uuid: 'CRYPT-LUKS2-1' } },
    true,
  ],
  [
    'a part of a mirror of two encrypted disks',
    {
      'md0/md0p1': { isPart: true },
      md0: { of: ['dm-0', 'dm-1'] },
      'dm-0': { uuid: 'CRYPT-PLAIN-1' },
      'dm-1': { uuid: 'CRYPT-PLAIN-2' },
    },
    true,
  ],
  [
    'a mirror of which one disk is not',
    { md0: { of: ['dm-0', 'sdb'] }, 'dm-0': { uuid: 'CRYPT-LUKS2-1' }, sdb: {} },
    false,
  ],
  ['a part of a plain disk', { 'sda/sda1': { isPart: true }, sda: {} }, false],
  ['a plain logical volume', { 'dm-0': { uuid: 'LVM-CRYPT-1', of: ['sda'] }, sda: {} }, false],
])('%s', async (_what, devices, isSealed) => {
  await system(devices);
  expect(await isDiskEncrypted(sys, sys)).toBe(isSealed);
});

it('is not told where the system names no device', async () => {
  expect(await isDiskEncrypted(sys, sys)).toBeNull();
});

it.each([
  [0x801n, '8:1'],
  [0xfd00n, '253:0'],
  [0x1000_0000_0103n, '4097:3'],
  [0x10_3f02n, '63:258'],
])('reads the numbers of a device', (dev, numbers) => {
  expect(deviceNumbers(dev)).toBe(numbers);
});

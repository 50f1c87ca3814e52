import { chmod, lstat, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { closeBelow, closeToOthers } from './private-directory.ts';

const modeOf = async (path: string) => ((await lstat(path)).mode & 0o7777).toString(8);

let parent: string;
let directory: string;
let log: ReturnType<typeof capturedLogger>;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sigma-private-'));
  directory = join(parent, 'data');
  log = capturedLogger();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(parent, { recursive: true });
});

async function make(path: string, mode: number): Promise<void> {
  const whole = join(directory, path);
  await mkdir(join(whole, '..'), { recursive: true });
  await writeFile(whole, 'x');
  await chmod(whole, mode);
}
const close = async () => {
  await closeToOthers(directory, log.logger);
  await closeBelow(directory, log.logger, new AbortController().signal);
};

describe.skipIf(process.platform === 'win32')('a data directory that was open to others', () => {
  beforeEach(async () => {
    for (const [path, mode] of [
      ['room-keys.json', 0o644],
      ['recordings/a/one', 0o664],
      ['vectors/b.bin', 0o600],
      ['tools/run', 0o755],
    ] as const)
      await make(path, mode);
    for (const folder of ['.', 'recordings', 'recordings/a', 'vectors', 'tools'])
      await chmod(join(directory, folder), 0o755);
  });

  it('is closed at once, and everything below it after that', async () => {
    await closeToOthers(directory, log.logger);
    expect(await modeOf(directory)).toBe('700');
    expect(await modeOf(join(directory, 'room-keys.json'))).toBe('644');
    await close();
    const modes: Record<string, string> = {};
    for (const path of await readdir(directory, { recursive: true }))
      modes[path] = await modeOf(join(directory, path));
    expect(modes).toEqual({
      'room-keys.json': '600',
      recordings: '700',
      'recordings/a': '700',
      'recordings/a/one': '600',
      vectors: '700',
      'vectors/b.bin': '600',
      tools: '700',
      'tools/run': '700',
    });
    expect(log.lines()).toMatchObject([{ closed: 7 }]);
    await close();
    expect(log.lines()).toHaveLength(1);
  });

  it('changes nothing that a link leads to', async () => {
    const elsewhere = join(parent, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'file'), 'x');
    for (const path of ['', 'file']) await chmod(join(elsewhere, path), 0o755);
    await symlink(elsewhere, join(directory, 'recordings', 'link'));
    await symlink(join(elsewhere, 'file'), join(directory, 'link'));
    await close();
    expect([await modeOf(elsewhere), await modeOf(join(elsewhere, 'file'))]).toEqual(['755', '755']);
  });

  it('stays open where everybody leaves files, but for what is ours', async () => {
    await chmod(directory, 0o1777);
    await close();
    expect(await modeOf(directory)).toBe('1777');
    expect(await modeOf(join(directory, 'tools', 'run'))).toBe('755');
    expect(await modeOf(join(directory, 'recordings', 'a', 'one'))).toBe('600');
    expect(log.lines()).toMatchObject([
      { msg: 'the data directory holds other things, too: others may look into it' },
      { closed: 5 },
    ]);
  });

  it('is closed where it is a home, too, and what else lies in it stays', async () => {
    vi.stubEnv('HOME', directory);
    await close();
    expect(await modeOf(directory)).toBe('700');
    expect(await modeOf(join(directory, 'tools', 'run'))).toBe('755');
    expect(await modeOf(join(directory, 'recordings', 'a', 'one'))).toBe('600');
    vi.stubEnv('HOME', join(directory, 'home', 'ada'));
    await chmod(directory, 0o755);
    await close();
    expect(await modeOf(directory)).toBe('755');
  });

  it('is left in the midst when told to stop', async () => {
    await closeBelow(directory, log.logger, AbortSignal.abort());
    expect(await modeOf(join(directory, 'room-keys.json'))).toBe('644');
  });
});

it('makes none where none is', async () => {
  await close();
  expect(await stat(directory).catch(() => null)).toBeNull();
});

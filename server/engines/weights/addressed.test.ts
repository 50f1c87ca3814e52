import { createHash, randomBytes } from 'node:crypto';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aZip } from '../../../tests/support/made-files.ts';
import type { AddressedFile, Bundle } from './contract.ts';
import { answerStatus, cutAfter, type FakeRegistry, startFakeRegistry } from './fake.ts';
import { type FetchOptions, fetchBundle } from './fetch-bundle.ts';
import { reasonOf } from './fetch-failure.ts';
import { isWhole } from './stamp.ts';

const zipOf = (files: Record<string, string>) => Buffer.from(aZip(files));
const model = Buffer.concat([Buffer.from('GGUF'), randomBytes(300_000)]);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

let dir: string;
let host: FakeRegistry;
let file: AddressedFile;

const folder = () => join(dir, 'language', 'small');
const bundleOf = (...packages: AddressedFile[]): Bundle => ({
  label: 'Small',
  meanwhile: 'the embedded reader answers meanwhile',
  folder: 'language/small',
  packages,
});

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sigma-addressed-'));
  host = await startFakeRegistry();
  file = {
    name: 'small.gguf',
    url: host.put('small.gguf', model),
    from: 'models.example',
    sha256: sha256(model),
    bytes: model.length,
    layout: { kind: 'whole', to: 'small.gguf', begins: 'GGUF' },
  };
});
afterEach(async () => {
  await host.down();
  await rm(dir, { recursive: true, force: true });
});

const fetchIt = (one: AddressedFile = file, options: Partial<FetchOptions> = {}) =>
  fetchBundle(bundleOf(one), folder(), join(dir, '.fetching'), {
    signal: new AbortController().signal,
    onProgress: () => {},
    npm: {},
    ...options,
  });
const failureOf = async (one: AddressedFile) =>
  reasonOf(
    await fetchIt(one).then(
      () => null,
      (error: unknown) => error,
    ),
    one.from,
  );
const unknown = () => ({ ...file, sha256: null, bytes: null });

describe('a file at an address of its own', () => {
  it('comes whole, is checked, and is not asked for again', async () => {
    const told: number[] = [];
    await fetchIt(file, {
      onProgress: (progress) => progress.phase === 'downloading' && told.push(progress.total),
    });
    expect((await readFile(join(folder(), 'small.gguf'))).equals(model)).toBe(true);
    expect(new Set(told)).toEqual(new Set([model.length]));
    expect(await isWhole(folder(), bundleOf(file))).toBe(true);
    const asked = host.requests.length;
    await fetchIt();
    expect(host.requests).toHaveLength(asked);
  });

  it('goes on where it broke off', async () => {
    host.misbehave(cutAfter(100_000));
    await expect(fetchIt()).rejects.toThrow();
    await fetchIt();
    expect(host.requests.map(({ range }) => range)).toEqual([null, 'bytes=100000-']);
    expect((await readFile(join(folder(), 'small.gguf'))).equals(model)).toBe(true);
  });

  it('is refused where it is another one, at its first bytes where it is none at all, and leaves nothing', async () => {
    const other = { ...file, sha256: sha256(Buffer.from('another')) };
    expect(await failureOf(other)).toBe(
      'what models.example sent is not the expected file (its checksum is wrong)',
    );
    const short = { ...file, bytes: model.length + 1 };
    expect(await failureOf(short)).toBe(
      'what models.example has is not the expected file (its size is wrong)',
    );
    const page = { ...file, url: host.put('page.gguf', Buffer.from('<html>Sign in</html>')), bytes: null };
    expect(await failureOf(page)).toBe('what models.example sent is no GGUF file');
    await expect(stat(folder())).rejects.toThrow('ENOENT');
  });

  it.each([
    [404, 'models.example does not have the file'],
    [403, 'models.example does not give the file to everybody'],
    [503, 'models.example answered with the error 503'],
  ])('says who did not give it: %i', async (status, words) => {
    host.misbehave(answerStatus(status));
    expect(await failureOf(file)).toBe(words);
  });

  it('is told how large it is by its host, where nobody else knows', async () => {
    await fetchIt(unknown());
    expect((await readFile(join(folder(), 'small.gguf'))).equals(model)).toBe(true);
  });

  it('must have the checksum that its host states, where nobody else knows', async () => {
    host.misbehave((_request, response) =>
      response
        .writeHead(302, {
          location: '/elsewhere',
          'x-linked-size': model.length,
          'x-linked-etag': `"${'0'.repeat(64)}"`,
        })
        .end(),
    );
    expect(await failureOf(unknown())).toContain('its checksum is wrong');
  });

  it('must be the same as when it came first, where nobody knows its checksum', async () => {
    await fetchIt(unknown());
    await truncate(join(folder(), 'small.gguf'), 10);
    host.put('small.gguf', Buffer.concat([Buffer.from('GGUF'), randomBytes(300_000)]));
    expect(await failureOf(unknown())).toContain('its checksum is wrong');
  });
});

describe('an archive at an address of its own', () => {
  const wanted = /^(?:llama-server(?:\.exe)?|.+\.(?:dll|dylib|so[.\d]*)|LICENSE.*)$/;
  const archive = (name: string, bytes: Buffer): AddressedFile => ({
    name,
    url: host.put(name, bytes),
    from: 'github.com',
    sha256: sha256(bytes),
    bytes: bytes.length,
    layout: { kind: 'archive', files: wanted },
  });

  it.skipIf(process.platform === 'win32')('keeps what may be run, and links between libraries', async () => {
    const made = join(dir, 'made', 'llama-b1');
    await mkdir(made, { recursive: true });
    await writeFile(join(made, 'llama-server'), '#!/bin/sh\n', { mode: 0o755 });
    await writeFile(join(made, 'libllama.so.0'), 'library');
    await symlink('libllama.so.0', join(made, 'libllama.so'));
    await writeFile(join(made, 'llama-bench'), 'unwanted');
    const packed = join(dir, 'packed.tar.gz');
    await create({ file: packed, cwd: join(dir, 'made'), gzip: true }, ['llama-b1']);
    await fetchIt(archive('llama-b1.tar.gz', await readFile(packed)));
    expect((await readdir(folder())).sort()).toEqual([
      '.sigma-weights.json',
      'libllama.so',
      'libllama.so.0',
      'llama-server',
    ]);
    expect(await readlink(join(folder(), 'libllama.so'))).toBe('libllama.so.0');
    expect((await stat(join(folder(), 'llama-server'))).mode & 0o100).toBe(0o100);
  });

  it('may be a zip, as for Windows', async () => {
    await fetchIt(
      archive('llama-b1.zip', zipOf({ 'llama-server.exe': 'MZ', 'ggml.dll': 'MZ', 'readme.txt': 'x' })),
    );
    expect((await readdir(folder())).sort()).toEqual(['.sigma-weights.json', 'ggml.dll', 'llama-server.exe']);
  });

  it('is refused where it lacks what is needed', async () => {
    expect(await failureOf(archive('llama-b1.zip', zipOf({ 'readme.txt': 'x' })))).toBe(
      'the archive has none of the files that are needed',
    );
    expect(await failureOf(archive('broken.zip', randomBytes(2_000)))).toBe('the archive is broken');
  });
});

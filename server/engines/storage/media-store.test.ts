import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '#server/lib/engine-error';
import { noAnswers, serveNoAnswer } from '../../../tests/support/no-answers.ts';
import { openSmallS3, type SmallS3 } from '../../../tests/support/small-s3.ts';
import type { ByteRange, MediaStore } from './contract.ts';
import { createFakeMediaStore } from './fake.ts';
import { createFileStore } from './files.ts';
import { createMediaStore } from './index.ts';
import { createS3Store } from './s3.ts';

let folder: string;
let s3: SmallS3;
const credentials = { accessKeyId: 'AKIDTEST', secretAccessKey: 'secret' };
const bucketOf = (address: string) => ({
  bucket: 'sigma',
  region: 'us-east-1',
  endpoint: address,
  credentials,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sigma-media-'));
  s3 = await openSmallS3({ bucket: 'sigma', accessKeyId: credentials.accessKeyId });
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

async function* pieces(...texts: string[]) {
  for (const text of texts) {
    await turn();
    yield Buffer.from(text);
  }
}

async function all(keys: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const key of keys) found.push(key);
  return found;
}

const mediaType = 'audio/ogg';

it('a bucket is asked by the keys of now, also by a client that has asked before', async () => {
  const moved = await openSmallS3({ bucket: 'sigma', accessKeyId: 'AKIDNEXT' });
  const store = createS3Store(bucketOf(moved.address));
  await expect(store.put('a/b', pieces('refused'), { mediaType })).rejects.toBeInstanceOf(EngineError);
  store.takeKeys?.({ accessKeyId: 'AKIDNEXT', secretAccessKey: 'another' });
  await store.put('a/b', pieces('taken'), { mediaType });
  expect(await all(store.list('a/'))).toEqual(['a/b']);
  expect(createS3Store({ ...bucketOf(moved.address), credentials: null }).takeKeys).toBeUndefined();
  await store.close();
  await moved.close();
});

describe.each([
  ['files', () => createFileStore(join(folder, 'recordings'))],
  ['an S3 bucket', () => createS3Store(bucketOf(s3.address))],
  ['memory', () => createFakeMediaStore()],
] as const)('recordings kept in %s', (_name, create) => {
  let store: MediaStore;
  beforeAll(() => {
    store = create();
  });
  afterAll(() => store.close());

  const keys = async (prefix: string) => (await all(store.list(prefix))).sort();
  const text = async (key: string, range?: ByteRange) => {
    const stream = await store.open(key, range);
    return stream && String(await buffer(stream));
  };

  it('come out as they went in', async () => {
    await store.put('space/talk-a/one', pieces('hello ', '', 'world'), { mediaType });
    expect(await text('space/talk-a/one')).toBe('hello world');
  });

  it.each([
    [0, 0, 'h'],
    [6, 10, 'world'],
    [4, 6, 'o w'],
  ])('give the bytes %i to %i', async (start, end, part) => {
    await store.put('space/talk-a/one', pieces('hello world'), { mediaType });
    expect(await text('space/talk-a/one', { start, end })).toBe(part);
  });

  it('hold nothing under a name that was never used', async () => {
    expect(await store.open('space/talk-a/none')).toBeNull();
    expect(await store.open('nowhere/at/all')).toBeNull();
    expect(await keys('nowhere/')).toEqual([]);
    await store.delete('nowhere/at/all');
    await store.delete('nowhere/');
  });

  it('can be empty', async () => {
    await store.put('space/talk-a/empty', pieces(), { mediaType });
    expect(await text('space/talk-a/empty')).toBe('');
    await store.delete('space/talk-a/empty');
  });

  it('go away one by one, or all below a prefix and none beside it', async () => {
    for (const key of ['a/1', 'a/2', 'a/3', 'a/4', 'a/5', 'ab/1', 'b/1'])
      await store.put(`gone/${key}`, pieces(key), { mediaType });
    await store.delete('gone/b/1');
    await store.delete('gone/a/');
    expect(await keys('gone/')).toEqual(['gone/ab/1']);
    await store.delete('gone/');
    expect(await keys('gone/')).toEqual([]);
  });

  it('leave nothing when what is put breaks off, and say why', async () => {
    const reason = new Error('The customer hung up.');
    async function* broken() {
      yield Buffer.from('half');
      throw reason;
    }
    await expect(store.put('space/talk-b/half', broken(), { mediaType })).rejects.toBe(reason);
    expect(await store.open('space/talk-b/half')).toBeNull();
    expect(await keys('space/talk-b/')).toEqual([]);
  });

  it('leave nothing when putting is called off', async () => {
    const off = new AbortController();
    async function* calledOff() {
      yield Buffer.from('half');
      off.abort(new Error('Called off.'));
      yield Buffer.from('whole');
    }
    const putting = store.put('space/talk-b/off', calledOff(), { mediaType, signal: off.signal });
    await expect(putting).rejects.toThrow();
    expect(await keys('space/talk-b/')).toEqual([]);
  });

  it.each(['../up', 'a/../../up', '/etc/passwd', 'a\\b', 'A/B', 'a//b', '', '.', 'a/.hidden', 'a\0b'])(
    'never lie under %j',
    async (key) => {
      await expect(store.put(key, pieces('x'), { mediaType })).rejects.toThrow(RangeError);
      await expect(store.delete(key)).rejects.toThrow(RangeError);
    },
  );
});

describe('files', () => {
  it('are written beside their place first, so that no half one is ever found there', async () => {
    const store = createFileStore(join(folder, 'steps'));
    let during: string[] = [];
    async function* bytes() {
      yield Buffer.from('half');
      during = await readdir(join(folder, 'steps', 'talk'));
      yield Buffer.from('whole');
    }
    await store.put('talk/one', bytes(), { mediaType });
    expect(during).toEqual([expect.stringMatching(/^one\.[\da-f-]{36}\.part$/)]);
    expect(await readdir(join(folder, 'steps', 'talk'))).toEqual(['one']);
  });

  it('that a dead process left half written are listed, and go with their prefix', async () => {
    const store = createFileStore(join(folder, 'steps'));
    await store.put('dead/one', pieces('x'), { mediaType });
    await writeFile(join(folder, 'steps', 'dead', 'two.x.part'), 'half');
    expect((await all(store.list('dead/'))).sort()).toEqual(['dead/one', 'dead/two.x.part']);
    await store.delete('dead/');
    expect(await all(store.list('dead/'))).toEqual([]);
  });

  it('are written beside others that go away', async () => {
    const store = createFileStore(join(folder, 'busy'));
    const comingAndGoing = async (name: string) => {
      for (let n = 0; n < 50; n++) {
        await store.put(`talk/${name}`, pieces('x'), { mediaType });
        await store.delete(`talk/${name}`);
      }
    };
    await Promise.all(['a', 'b', 'c'].map(comingAndGoing));
    expect(await all(store.list('talk/'))).toEqual([]);
  });

  it('are listed though folders go away meanwhile', async () => {
    const store = createFileStore(join(folder, 'listed'));
    for (const talk of ['a', 'b', 'c', 'd']) await store.put(`space/${talk}/1`, pieces('x'), { mediaType });
    const found: string[] = [];
    for await (const key of store.list('space/')) {
      found.push(key);
      if (found.length === 1)
        for (const talk of ['a', 'b', 'c'])
          if (!key.includes(`/${talk}/`)) await store.delete(`space/${talk}/`);
    }
    expect(found).toContain('space/d/1');
  });

  it('are refused when little room is left on the disk, and leave nothing', async () => {
    const disk = { free: 600, floor: 500 };
    const store = createFileStore(join(folder, 'small'), async () => disk);
    await store.put('talk/one', pieces('x'), { mediaType });
    disk.free = 499;
    await expect(store.put('talk/two', pieces('x'), { mediaType })).rejects.toThrow(
      new EngineError('There is no room for recordings on the disk any more.', { retryable: false }),
    );
    expect(await all(store.list('talk/'))).toEqual(['talk/one']);
  });

  it('end with a sentence, not with a path, where the folder cannot be made', async () => {
    await writeFile(join(folder, 'occupied'), '');
    const store = createFileStore(join(folder, 'occupied'));
    const failed = await store.put('a/b', pieces('x'), { mediaType }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(EngineError);
    expect(failed).toMatchObject({ message: 'Recordings cannot be reached right now.', retryable: true });
    expect(await store.open('a/b')).toBeNull();
  });

  it('are closed again when the one who reads goes away', async () => {
    const store = createFileStore(join(folder, 'left'));
    await store.put('a/b', pieces('x'.repeat(1_000_000)), { mediaType });
    const stream = await store.open('a/b');
    stream?.destroy();
    if (stream && !stream.closed) await once(stream, 'close');
    expect(stream?.closed).toBe(true);
  });
});

describe('an S3 bucket', () => {
  it.each(noAnswers)('is given up when it %s', async (way) => {
    const { host, close } = await serveNoAnswer(way);
    const waits = { answerMs: 300, silenceMs: 200 };
    const store = createS3Store({ ...bucketOf(`http://${host}`), waits });
    const read = async () => buffer((await store.open('a/b')) ?? Readable.from([]));
    const asked = [
      store.put('a/b', pieces('x'), { mediaType }),
      read(),
      store.delete('a/b'),
      store.delete('a/'),
      all(store.list('a/')),
    ];
    for (const each of await Promise.allSettled(asked))
      expect(each).toMatchObject({ status: 'rejected', reason: { name: 'EngineError', retryable: true } });
    await store.close();
    await close();
  });

  it('may be read as slowly as somebody likes', async () => {
    const waits = { answerMs: 2_000, silenceMs: 20_000 };
    const store = createS3Store({ ...bucketOf(s3.address), waits });
    s3.objects.set('slow', { bytes: Buffer.alloc(3_000_000, 'x'), mediaType });
    let bytes = 0;
    for await (const piece of (await store.open('slow')) ?? []) {
      if (bytes === 0) await pause(2_500);
      bytes += (piece as Uint8Array).byteLength;
    }
    expect(bytes).toBe(3_000_000);
    await store.close();
  });

  const open = (change = {}) => createS3Store({ ...bucketOf(s3.address), ...change });
  beforeEach(() => {
    s3.requests.length = 0;
  });

  it('holds bytes and media type under their own key, in one request', async () => {
    const store = open();
    await store.put('space/talk/typed', pieces('a', 'b'), { mediaType });
    expect(s3.objects.get('space/talk/typed')).toEqual({ bytes: Buffer.from('ab'), mediaType });
    expect(s3.requests).toEqual(['PUT /sigma/space/talk/typed?x-id=PutObject']);
    await store.close();
  });

  it('is asked again when it was in trouble for a moment', async () => {
    const store = open();
    s3.fail(503, 1);
    await store.put('again', pieces('once more'), { mediaType });
    expect(String(s3.objects.get('again')?.bytes)).toBe('once more');
    await store.close();
  });

  it('is asked for a part and sends no more', async () => {
    const store = open();
    s3.objects.set('big', { bytes: Buffer.alloc(1_000_000, 'x'), mediaType });
    const stream = await store.open('big', { start: 10, end: 19 });
    expect(stream && (await buffer(stream)).length).toBe(10);
    await store.close();
  });

  it.each([
    ['breaks', {}, Number.POSITIVE_INFINITY],
    ['does not know us', { credentials: { accessKeyId: 'OTHER', secretAccessKey: 'x' } }, 0],
    ['has no such bucket', { bucket: 'other' }, 0],
  ] as const)(
    'that %s is told in a sentence, never taken for an empty one',
    async (_how, change, failures) => {
      const store = open(change);
      s3.fail(500, failures);
      try {
        for (const work of [
          () => store.put('a/b', pieces('x'), { mediaType }),
          () => store.open('a/b'),
          () => store.delete('a/'),
          () => store.delete('a/b'),
          () => all(store.list('a/')),
        ]) {
          const failed = await work().catch((error: unknown) => error);
          expect(failed).toBeInstanceOf(EngineError);
          expect(failed).toMatchObject({ message: 'Recordings cannot be reached right now.' });
        }
      } finally {
        s3.fail(500, 0);
        await store.close();
      }
    },
  );
});

describe('the settings', () => {
  it('choose files unless they name a bucket', () => {
    expect(createMediaStore({ dataDir: folder, mediaBucket: null }).name).toBe('Files');
    expect(createMediaStore({ dataDir: folder, mediaBucket: bucketOf(s3.address) }).name).toBe('S3');
  });
});

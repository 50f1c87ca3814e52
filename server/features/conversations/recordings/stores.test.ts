import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conversations } from '#server/database/schema';
import type { MediaStore } from '#server/engines/storage/contract';
import { createFileStore } from '#server/engines/storage/files';
import { createS3Store } from '#server/engines/storage/s3';
import { aConversation } from '../../../../tests/factories.ts';
import { openSmallS3, type SmallS3 } from '../../../../tests/support/small-s3.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';

const sound = () => readFile(new URL('../../../../tests/fixtures/recordings/browser.webm', import.meta.url));

let folder: string;
let s3: SmallS3;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sigma-recordings-'));
  s3 = await openSmallS3({ bucket: 'sigma', accessKeyId: 'AKIDTEST' });
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const inFiles = () => createFileStore(join(folder, 'recordings'));
const inBucket = () =>
  createS3Store({
    bucket: 'sigma',
    region: 'us-east-1',
    endpoint: s3.address,
    credentials: { accessKeyId: 'AKIDTEST', secretAccessKey: 'secret' },
  });
const filesBelow = async () => {
  const entries = await readdir(join(folder, 'recordings'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
};

describe.each([
  ['files', inFiles, filesBelow],
  ['an S3 bucket', inBucket, async () => s3.objects.size],
] as const)('recordings in %s', (_where, open, count) => {
  let store: MediaStore;
  let app: TestApp;
  let address: string;
  let token: string;
  let conversationId: string;
  beforeAll(async () => {
    store = open();
    app = await openTestApp({ engines: { mediaStore: store } });
    address = await app.listen();
    const signedUp = await app.signUp();
    token = signedUp.token;
    const conversation = aConversation(signedUp.user._id);
    conversationId = conversation.id;
    await app.database.db.insert(conversations).values(conversation);
  });
  afterAll(async () => {
    await app.close();
    await store.close();
  });

  const send = async (audio: Uint8Array) => {
    const form = new FormData();
    form.append('audio', new Blob([Buffer.from(audio)]), 'recording.webm');
    form.append('transcript', 'Hello');
    const response = await fetch(`${address}/api/conversations/${conversationId}/audio`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: response.status, body: (await response.json()) as { audioUrl?: string } };
  };

  it('are taken, heard in parts by their link, and gone with their conversation', async () => {
    const { status, body } = await send(await sound());
    expect([status, await count()]).toEqual([201, 1]);
    const url = new URL(body.audioUrl ?? '', address);
    const whole = await fetch(url);
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(await sound());
    const part = await fetch(url, { headers: { range: 'bytes=-100' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual((await sound()).subarray(-100));
    await app.as(token, 'DELETE', `/api/conversations/${conversationId}`);
    await expect.poll(count).toBe(0);
    expect((await fetch(url)).status).toBe(404);
  });

  it('leave nothing when their conversation is deleted while they come in', async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\n';
    const tail = '\r\n--b\r\nContent-Disposition: form-data; name="transcript"\r\n\r\nHello\r\n--b--\r\n';
    const conversation = aConversation((await app.as(token, 'GET', '/api/auth/me')).json()._id);
    await app.database.db.insert(conversations).values(conversation);
    async function* body() {
      yield Buffer.concat([Buffer.from(head), await sound(), Buffer.alloc(200_000)]);
      await app.as(token, 'DELETE', `/api/conversations/${conversation.id}`);
      yield Buffer.concat([Buffer.alloc(200_000), Buffer.from(tail)]);
    }
    const response = await fetch(`${address}/api/conversations/${conversation.id}/audio`, {
      method: 'POST',
      body: Readable.toWeb(Readable.from(body())),
      duplex: 'half',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
    });
    expect(response.status).toBe(404);
    await expect.poll(count).toBe(0);
  });

  it('that are none leave nothing', async () => {
    expect((await send(Buffer.from('no sound at all'))).status).toBe(404);
    const conversation = aConversation((await app.as(token, 'GET', '/api/auth/me')).json()._id);
    await app.database.db.insert(conversations).values(conversation);
    conversationId = conversation.id;
    expect((await send(Buffer.from('no sound at all'))).status).toBe(415);
    expect((await send(Buffer.concat([await sound(), Buffer.alloc(26_500_000)]))).status).toBe(413);
    expect(await count()).toBe(0);
  });
});

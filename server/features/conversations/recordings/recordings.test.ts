import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { eq } from 'drizzle-orm';
import { io } from 'socket.io-client';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contacts, conversations, messages, recordings } from '#server/database/schema';
import { createFakeMediaStore, type FakeMediaStore } from '#server/engines/storage/fake';
import { EngineError } from '#server/lib/engine-error';
import type { Conversation } from '#shared/conversations';
import { errorBodySchema } from '#shared/errors';
import { MAX_RECORDING_BYTES } from '#shared/recordings';
import { aConversation, aMessage } from '../../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../../../tests/fixtures/recordings/${name}`, import.meta.url));

let app: TestApp;
let store: FakeMediaStore;
let address: string;
let token: string;
let userId: string;
beforeAll(async () => {
  store = createFakeMediaStore();
  app = await openTestApp({ engines: { mediaStore: store } });
  address = await app.listen();
});
afterAll(() => app.close());
beforeEach(async () => {
  const signedUp = await app.signUp();
  [token, userId] = [signedUp.token, signedUp.user._id];
  store.files.clear();
});

async function talk(of = userId, changes: Partial<ReturnType<typeof aConversation>> = {}): Promise<string> {
  const conversation = aConversation(of, changes);
  await app.database.db.insert(conversations).values(conversation);
  return conversation.id;
}

async function say(
  conversationId: string,
  content: string,
  changes: Partial<ReturnType<typeof aMessage>> = {},
) {
  const message = aMessage(conversationId, { content, ...changes });
  await app.database.db.insert(messages).values(message);
  return message.id;
}

interface Sent {
  audio?: Uint8Array | null;
  name?: string;
  type?: string;
  transcript?: string | null;
  transcriptFirst?: boolean;
  headers?: Record<string, string>;
}

function form({ audio = fixture('opus.webm'), name = 'blob', type = 'audio/wav', ...rest }: Sent = {}) {
  const data = new FormData();
  const { transcript = 'When are you open?', transcriptFirst = false } = rest;
  if (transcript !== null && transcriptFirst) data.append('transcript', transcript);
  if (audio !== null) data.append('audio', new Blob([Buffer.from(audio)], { type }), name);
  if (transcript !== null && !transcriptFirst) data.append('transcript', transcript);
  return data;
}

const post = (conversationId: string, body: FormData | string, headers: Record<string, string> = {}) =>
  fetch(`${address}/api/conversations/${conversationId}/audio`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });

const upload = (conversationId: string, sent: Sent = {}) => post(conversationId, form(sent), sent.headers);

async function uploaded(conversationId: string, sent: Sent = {}): Promise<string> {
  const response = await upload(conversationId, sent);
  expect(response.status).toBe(201);
  const { audioUrl } = (await response.json()) as { audioUrl: string };
  return audioUrl;
}

/** The body of a refusal. */
const refusalOf = async (response: Response) => errorBodySchema.parse(await response.json());

const hear = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(new URL(url, address), { headers, method });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const idOf = (audioUrl: string) => new URL(audioUrl, address).pathname.split('/').at(-1) ?? '';
const rowOf = async (audioUrl: string) => {
  const rows = await app.database.db
    .select()
    .from(recordings)
    .where(eq(recordings.id, idOf(audioUrl)));
  return rows[0];
};
const shown = async (conversationId: string): Promise<Conversation> =>
  (await app.as(token, 'GET', `/api/conversations/${conversationId}`)).json();
const nothingKept = async (conversationId: string) => {
  expect([...store.files.keys()]).toEqual([]);
  const rows = await app.database.db
    .select()
    .from(recordings)
    .where(eq(recordings.conversationId, conversationId));
  expect(rows).toEqual([]);
};

describe('somebody who wants no recordings to be kept', () => {
  it('sends one as always, and it is answered without an address and thrown away', async () => {
    await app.as(token, 'PUT', '/api/preferences', { keepRecordings: false });
    const conversationId = await talk();
    const messageId = await say(conversationId, 'When are you open?');
    const response = await upload(conversationId);
    expect([response.status, await response.json()]).toEqual([200, { audioUrl: null }]);
    await nothingKept(conversationId);
    const message = (await shown(conversationId)).messages.find(({ _id }) => _id === messageId);
    expect(message).not.toHaveProperty('audioUrl');
  });

  it('who changes their mind has the next one kept, with its length', async () => {
    await app.as(token, 'PUT', '/api/preferences', { keepRecordings: false });
    await app.as(token, 'PUT', '/api/preferences', { keepRecordings: true });
    const conversationId = await talk();
    await say(conversationId, 'When are you open?');
    await uploaded(conversationId, { audio: fixture('pcm.wav') });
    expect((await shown(conversationId)).messages.at(-1)).toMatchObject({
      audioUrl: expect.stringContaining('/api/recordings/'),
      audioDuration: 0.25,
    });
  });
});

describe('a recording', () => {
  it.each([
    ['opus.webm', 'audio/webm', 608],
    ['browser.webm', 'audio/webm', 962],
    ['browser.mp4', 'audio/mp4', 845],
    ['opus.ogg', 'audio/ogg', 608],
    ['aac.mp4', 'audio/mp4', 664],
    ['pcm.wav', 'audio/wav', 250],
    ['tone.mp3', 'audio/mpeg', 653],
  ])('%s is known by its bytes, and comes back as it was sent', async (name, mediaType, durationMs) => {
    const conversationId = await talk();
    const audioUrl = await uploaded(conversationId, {
      audio: fixture(name),
      type: 'text/html',
      name: 'x.html',
    });
    const response = await hear(audioUrl);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(mediaType);
    expect(await bytesOf(response)).toEqual(fixture(name));
    expect(await rowOf(audioUrl)).toMatchObject({
      mediaType,
      durationMs,
      bytes: fixture(name).length,
      speaker: 'customer',
    });
  });

  it.each([
    ['text', Buffer.from('hello, I am no sound at all')],
    ['a page', Buffer.from('<html><script>alert(1)</script></html>')],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a HEIC picture', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['a film', fixture('film.webm')],
    ['AAC without a container', fixture('tone.aac')],
    ['a WAV header cut off', fixture('pcm.wav').subarray(0, 20)],
    ['a WAV of no channels', Buffer.from(fixture('pcm.wav')).fill(0, 22, 24)],
    ['an Ogg film', Buffer.from(fixture('opus.ogg')).fill('theora', 28, 34)],
    [
      'one frame header of an MP3 in noise',
      Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(5_000, 7)]),
    ],
    ['zeros', Buffer.alloc(10_000)],
    ['one byte', Buffer.alloc(1)],
  ])('that is %s is refused, whatever its label says', async (_what, audio) => {
    const conversationId = await talk();
    const response = await upload(conversationId, { audio, type: 'audio/webm', name: 'recording.webm' });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({
      code: 'unsupported-media-type',
      message: 'This recording cannot be played. Send WebM, Ogg, MP4, WAV or MP3.',
    });
    await nothingKept(conversationId);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    [
      'a WAV header and nothing behind it',
      fixture('pcm.wav').subarray(0, fixture('pcm.wav').indexOf('data') + 8),
    ],
  ])('of %s is refused as empty', async (_what, audio) => {
    const conversationId = await talk();
    const response = await upload(conversationId, { audio });
    expect([response.status, (await refusalOf(response)).fields]).toEqual([
      400,
      { audio: 'This recording is empty.' },
    ]);
    await nothingKept(conversationId);
  });

  it('may be 25 MB and no byte more', async () => {
    const conversationId = await talk();
    const most = Buffer.alloc(MAX_RECORDING_BYTES + 1);
    fixture('pcm.wav').copy(most);
    const audioUrl = await uploaded(conversationId, { audio: most.subarray(0, -1) });
    expect((await rowOf(audioUrl))?.bytes).toBe(MAX_RECORDING_BYTES);
    const kept = [...store.files.keys()];
    const response = await upload(conversationId, { audio: most });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ message: 'Use a recording of at most 25 MB.' });
    expect([...store.files.keys()]).toEqual(kept);
  });

  it('that is far too long is refused before it is read', async () => {
    const conversationId = await talk();
    const { head, end } = await raw(conversationId, { 'content-length': '999999999' }, '');
    expect(head).toMatch(/^HTTP\/1\.1 413 /);
    end();
  });

  it('has its transcript before or after it, and fields nobody asked for are left aside', async () => {
    const conversationId = await talk();
    await uploaded(conversationId, { transcriptFirst: true });
    const data = form();
    data.append('language', 'en');
    expect((await post(conversationId, data)).status).toBe(201);
  });
});

describe('a form', () => {
  const broken: [string, () => FormData, string][] = [
    ['without a recording', () => form({ audio: null }), 'audio'],
    ['without a transcript', () => form({ transcript: null }), 'transcript'],
    ['with a blank transcript', () => form({ transcript: ' \n\t ' }), 'transcript'],
    ['with 8,001 characters of transcript', () => form({ transcript: 'x'.repeat(8_001) }), 'transcript'],
    ['with a megabyte of transcript', () => form({ transcript: 'ä'.repeat(500_000) }), 'transcript'],
    ['with two recordings', () => withPart(form(), 'audio', new Blob([fixture('opus.ogg')])), 'audio'],
    ['with two transcripts', () => withPart(form(), 'transcript', 'again'), 'transcript'],
    ['with the recording as text', () => withPart(form({ audio: null }), 'audio', 'RIFF'), 'audio'],
    [
      'with the transcript as a file',
      () => withPart(form({ transcript: null }), 'transcript', new Blob(['hi'])),
      'transcript',
    ],
    ['with a file of another name', () => withPart(form({ audio: null }), 'file', new Blob(['hi'])), 'audio'],
  ];
  it.each(broken)('%s is refused in a sentence, and leaves nothing', async (_what, make, field) => {
    const conversationId = await talk();
    const response = await post(conversationId, make());
    expect(response.status).toBe(400);
    const { code, message, fields } = await refusalOf(response);
    expect(code).toBe('invalid-input');
    expect(fields).toEqual({ [field]: message });
    expect(message).toMatch(/^[A-Z].*\.$/);
    await nothingKept(conversationId);
  });

  it('may name the file like a path, and nothing comes of it', async () => {
    const conversationId = await talk();
    await uploaded(conversationId, { name: '../../../../etc/passwd' });
    await uploaded(conversationId, { name: 'C:\\windows\\system32\\evil.exe' });
    for (const key of store.files.keys())
      expect(key).toMatch(new RegExp(`^[\\da-f]{16}/${conversationId}/[\\da-f-]{36}$`));
  });

  it('that is JSON is refused with 415', async () => {
    const conversationId = await talk();
    const response = await post(conversationId, '{"audio":"x"}', { 'content-type': 'application/json' });
    expect([response.status, (await refusalOf(response)).message]).toEqual([
      415,
      'Send this request as multipart/form-data.',
    ]);
  });

  const part = (name: string, extra = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${extra}\r\n\r\nx\r\n`;
  it.each([
    ['10,000 fields', 'multipart/form-data; boundary=b', part('transcript').repeat(10_000)],
    ['no boundary', 'multipart/form-data', part('audio')],
    ['an empty boundary', 'multipart/form-data; boundary=', part('audio')],
    ['another boundary', 'multipart/form-data; boundary=c', part('audio')],
    ['no end', 'multipart/form-data; boundary=b', part('transcript')],
    ['nothing', 'multipart/form-data; boundary=b', ''],
    ['its end alone', 'multipart/form-data; boundary=b', '--b--\r\n'],
    [
      'a huge part header',
      'multipart/form-data; boundary=b',
      part('audio', `; filename="${'x'.repeat(500_000)}"`),
    ],
    [
      'a thousand part headers',
      'multipart/form-data; boundary=b',
      `--b\r\n${'X-A: b\r\n'.repeat(1_000)}\r\nx\r\n--b--`,
    ],
    [
      'no name',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n',
    ],
    [
      'a name of prototypes',
      'multipart/form-data; boundary=b',
      `${part('__proto__')}${part('constructor')}--b--\r\n`,
    ],
    ['noise', 'multipart/form-data; boundary=b', '\0\xff'.repeat(50_000)],
  ])('of %s is refused with 400', async (_what, type, body) => {
    const conversationId = await talk();
    const response = await post(conversationId, body, { 'content-type': type });
    expect(response.status).toBe(400);
    expect((await refusalOf(response)).message).toMatch(/^[A-Z].*\.$/);
    await nothingKept(conversationId);
  });

  it('of 10,000 recordings is refused at the first one that is none', async () => {
    const conversationId = await talk();
    const body = part('audio', '; filename="a"').repeat(10_000);
    const response = await post(conversationId, body, { 'content-type': 'multipart/form-data; boundary=b' });
    expect(response.status).toBe(415);
    await nothingKept(conversationId);
  });

  it.each([
    ['that is no sound', Buffer.from('no sound at all, '.repeat(100)), 20_000_000, 415],
    ['that is too long', fixture('pcm.wav'), 30_000_000, 413],
  ])('%s is refused in words to who sends all of it first', async (_what, beginning, bytes, status) => {
    const conversationId = await talk();
    const audio = Buffer.concat([beginning, Buffer.alloc(bytes)]);
    const sent = Buffer.from(await new Response(form({ audio })).arrayBuffer());
    const boundary = sent.subarray(2, sent.indexOf('\r\n')).toString();
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(address).port), '127.0.0.1');
      socket.on('error', reject);
      socket.pause();
      socket.write(
        `POST /api/conversations/${conversationId}/audio HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${sent.length}\r\n\r\n`,
      );
      socket.write(sent, () => {
        let all = '';
        socket.on('data', (data) => {
          all += data;
        });
        socket.on('close', () => resolve(all));
        socket.resume();
      });
    });
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    errorBodySchema.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)));
    await nothingKept(conversationId);
  });

  it('that breaks off leaves nothing, and the server goes on', async () => {
    const conversationId = await talk();
    const begun = [
      '--b\r\nContent-Disposition: form-data; name="audio"; filename="a.webm"\r\n\r\n',
      fixture('pcm.wav').toString('latin1'),
      '\0'.repeat(10_000),
    ].join('');
    const { put } = store;
    let [puts, ended] = [0, 0];
    store.put = (...args) => {
      puts++;
      return put(...args).finally(() => ended++);
    };
    const { end } = await raw(conversationId, { 'content-length': '100000' }, begun, false);
    await expect.poll(() => puts).toBe(1);
    end();
    await expect.poll(() => ended).toBe(1);
    store.put = put;
    await uploaded(conversationId);
    expect(store.files.size).toBe(1);
    expect(app.logs().filter(({ level }) => level === 'error')).toEqual([]);
  });
});

/** Sends raw HTTP. @param answered whether to wait for the head of an answer */
async function raw(
  conversationId: string,
  headers: Record<string, string>,
  body: string,
  answered = true,
): Promise<{ head: string; end: () => void }> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).on('error', () => {});
  const lines = Object.entries({
    host: 'x',
    authorization: `Bearer ${token}`,
    'content-type': 'multipart/form-data; boundary=b',
    ...headers,
  });
  socket.write(`POST /api/conversations/${conversationId}/audio HTTP/1.1\r\n`);
  socket.write(`${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`);
  socket.write(Buffer.from(body, 'latin1'));
  const [head] = answered ? await once(socket, 'data') : [''];
  return { head: String(head), end: () => socket.destroy() };
}

function withPart(data: FormData, name: string, value: string | Blob): FormData {
  if (typeof value === 'string') data.append(name, value);
  else data.append(name, value, 'part.bin');
  return data;
}

describe('who may send one', () => {
  it('is the owner of the conversation alone; all others are answered alike', async () => {
    const stranger = await app.signUp();
    const foreign = await talk(stranger.user._id);
    for (const id of [foreign, uuidv7(), 'x', '%00', `${foreign}0`, '..%2F..']) {
      const response = await upload(id);
      expect([response.status, (await refusalOf(response)).message], id).toEqual([
        404,
        'This conversation does not exist.',
      ]);
    }
    await nothingKept(foreign);
    const anonymous = await post(foreign, form(), { authorization: '' });
    expect(anonymous.status).toBe(401);
  });

  it('may do so after the call has ended: the last words travel longest', async () => {
    const conversationId = await talk(userId, { endedAt: new Date() });
    await uploaded(conversationId);
  });
});

describe('the message with the same words', () => {
  const audioOf = async (conversationId: string) =>
    (await shown(conversationId)).messages.map(({ content, audioUrl }) => [
      content,
      audioUrl && idOf(audioUrl),
    ]);

  it('gets the recording when it comes later, however it is spaced', async () => {
    const conversationId = await talk();
    const audioUrl = await uploaded(conversationId, { transcript: ' When  are you\nopen? ' });
    await addMessage(conversationId, 'When are you open?');
    expect(await audioOf(conversationId)).toContainEqual(['When are you open?', idOf(audioUrl)]);
  });

  it('gets the recording when it was there first', async () => {
    const conversationId = await talk();
    await say(conversationId, 'When are  you open?');
    const audioUrl = await uploaded(conversationId);
    expect(await audioOf(conversationId)).toEqual([['When are  you open?', idOf(audioUrl)]]);
    const [listed]: Conversation[] = (await app.as(token, 'GET', '/api/conversations')).json();
    expect(listed?.messages[0]?.audioUrl).toBe(audioUrl);
    const ended = await app.as(token, 'PUT', `/api/conversations/${conversationId}/end`);
    expect(ended.json().messages[0].audioUrl).toBe(audioUrl);
  });

  it('is one of the customer, in this conversation, with all of the words', async () => {
    const conversationId = await talk();
    const other = await talk();
    await say(other, 'When are you open?');
    await say(conversationId, 'When are you open?', { role: 'assistant' });
    await say(conversationId, 'When are you open? Today?');
    await uploaded(conversationId);
    for (const id of [conversationId, other])
      expect((await audioOf(id)).every(([, audioUrl]) => audioUrl === undefined)).toBe(true);
  });

  it('has one recording, and a recording one message', async () => {
    const conversationId = await talk();
    const first = await uploaded(conversationId, { transcript: 'Yes.' });
    await addMessage(conversationId, 'Yes.');
    const second = await uploaded(conversationId, { transcript: 'Yes.', audio: fixture('opus.ogg') });
    await addMessage(conversationId, 'Yes.');
    await addMessage(conversationId, 'Yes.');
    const said = (await audioOf(conversationId)).filter(([content]) => content === 'Yes.');
    expect(said.map(([, id]) => id)).toEqual([idOf(first), idOf(second), undefined]);
  });

  it('is none that was said long before', async () => {
    const conversationId = await talk();
    await say(conversationId, 'When are you open?', { createdAt: new Date(Date.now() - 3_600_000) });
    await uploaded(conversationId);
    expect(await audioOf(conversationId)).toEqual([['When are you open?', undefined]]);
  });

  /** Stores a message like a call does, over the same database. */
  async function addMessage(conversationId: string, content: string): Promise<void> {
    const socket = io(address, { auth: { token }, transports: ['websocket'], forceNew: true });
    const ack = await socket.emitWithAck('user_message', { conversationId, message: content, voice: false });
    expect(ack).toMatchObject({ ok: true });
    socket.disconnect();
  }
});

describe('hearing a recording', () => {
  let audioUrl: string;
  let conversationId: string;
  const sound = fixture('opus.webm');
  beforeEach(async () => {
    conversationId = await talk();
    audioUrl = await uploaded(conversationId);
  });

  it('takes the link alone, as an audio element does, or the token of its owner', async () => {
    expect((await hear(audioUrl)).status).toBe(200);
    const { pathname } = new URL(audioUrl, address);
    expect((await hear(pathname, { authorization: `Bearer ${token}` })).status).toBe(200);
    expect(audioUrl).not.toContain(userId);
    expect(audioUrl).not.toContain(conversationId);
  });

  it('is answered so that a browser plays it, keeps it for itself, and takes it for nothing else', async () => {
    const { headers } = await hear(audioUrl);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'audio/webm',
      'content-length': String(sound.length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'content-disposition': 'inline; filename="recording.webm"',
      'x-content-type-options': 'nosniff',
      etag: `"${idOf(audioUrl)}"`,
      vary: expect.stringContaining('authorization'),
    });
  });

  it.each([
    ['no link and no token', (url: URL) => url.pathname, {}, 401],
    ['a wrong token', (url: URL) => url.pathname, { authorization: 'Bearer nonsense' }, 401],
    [
      'a changed signature',
      (url: URL) =>
        url.href.replace(/signature=(.)/, (_all, first) => `signature=${first === 'x' ? 'y' : 'x'}`),
      {},
      403,
    ],
    ['a later end', (url: URL) => url.href.replace(/expires=\d/, 'expires=9'), {}, 403],
    ['the signature twice', (url: URL) => `${url.href}&signature=x`, {}, 400],
    ['the signature of another one', (url: URL) => `/api/recordings/${uuidv7()}${url.search}`, {}, 403],
    ['a malformed id', (url: URL) => `/api/recordings/x${url.search}`, {}, 404],
    ['an id that climbs', (url: URL) => `/api/recordings/..%2F..%2Fx${url.search}`, {}, 404],
  ])('with %s is refused in a sentence', async (_what, change, headers, status) => {
    const response = await hear(change(new URL(audioUrl, address)), headers);
    expect(response.status).toBe(status);
    expect((await refusalOf(response)).message).toMatch(/^[A-Z].*\.$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('is for its owner: with the token of another user it does not exist', async () => {
    const stranger = await app.signUp();
    for (const url of [audioUrl, new URL(audioUrl, address).pathname]) {
      const response = await hear(url, { authorization: `Bearer ${stranger.token}` });
      expect([response.status, (await refusalOf(response)).message]).toEqual([
        404,
        'This recording does not exist.',
      ]);
    }
  });

  it.each([
    ['bytes=0-', 0, sound.length - 1],
    ['bytes=0-1', 0, 1],
    ['bytes=100-199', 100, 199],
    ['bytes=-20', sound.length - 20, sound.length - 1],
    ['bytes=2000-999999', 2000, sound.length - 1],
  ])('seeks: %s', async (range, start, end) => {
    const response = await hear(audioUrl, { range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${sound.length}`);
    expect(response.headers.get('content-length')).toBe(String(end - start + 1));
    expect(await bytesOf(response)).toEqual(sound.subarray(start, end + 1));
  });

  it('behind its end is answered with 416 and its length', async () => {
    const response = await hear(audioUrl, { range: 'bytes=99999999-' });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${sound.length}`);
    expect((await refusalOf(response)).message).toBe(
      'This recording ends before the range that you ask for.',
    );
  });

  it('goes on where it stopped only if it is still the same', async () => {
    const etag = `"${idOf(audioUrl)}"`;
    expect((await hear(audioUrl, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
    expect((await hear(audioUrl, { range: 'bytes=0-9', 'if-range': '"another"' })).status).toBe(200);
    expect((await hear(audioUrl, { range: 'bytes=0-1,5-6' })).status).toBe(200);
    expect((await hear(audioUrl, { 'if-none-match': `W/${etag}` })).status).toBe(304);
  });

  it('is asked about with HEAD', async () => {
    const response = await hear(audioUrl, {}, 'HEAD');
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
      200,
      String(sound.length),
      '',
    ]);
    expect((await hear(audioUrl, { range: 'bytes=0-9' }, 'HEAD')).headers.get('content-length')).toBe('10');
    expect((await hear('/api/recordings/x', { authorization: `Bearer ${token}` }, 'HEAD')).status).toBe(404);
  });

  it('whose bytes have gone is answered with 404, not with a broken sound', async () => {
    store.files.clear();
    expect((await hear(audioUrl)).status).toBe(404);
  });
});

describe('deleting a conversation', () => {
  it('removes its recordings, rows and bytes, and their room is free again', async () => {
    const conversationId = await talk();
    const other = await talk();
    const audioUrl = await uploaded(conversationId);
    await uploaded(other);
    expect(await takenBy(userId)).toBe(2 * fixture('opus.webm').length);
    await app.as(token, 'DELETE', `/api/conversations/${conversationId}`);
    expect((await hear(audioUrl)).status).toBe(404);
    await expect.poll(() => [...store.files.keys()].some((key) => key.includes(conversationId))).toBe(false);
    expect(store.files.size).toBe(1);
    expect(await takenBy(userId)).toBe(fixture('opus.webm').length);
  });

  it('while a recording comes in leaves nothing of it', async () => {
    const conversationId = await talk();
    let reached = () => {};
    const inside = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const { put } = store;
    const deleted = inside.then(() => app.as(token, 'DELETE', `/api/conversations/${conversationId}`));
    store.put = async (...args) => {
      await put(...args);
      reached();
      await deleted;
    };
    try {
      const response = await upload(conversationId);
      expect([response.status, (await refusalOf(response)).message]).toEqual([
        404,
        'This conversation does not exist.',
      ]);
    } finally {
      store.put = put;
    }
    await nothingKept(conversationId);
  });

  const takenBy = async (id: string) =>
    (await app.database.db.select().from(contacts).where(eq(contacts.id, id)))[0]?.recordingBytes;
});

describe('a store that is away', () => {
  it('is told, and the recording can be sent again', async () => {
    const conversationId = await talk();
    const { put } = store;
    store.put = async () => {
      throw new EngineError('Recordings cannot be reached right now.', { retryable: true });
    };
    const refused = await upload(conversationId);
    store.put = put;
    expect([refused.status, (await refusalOf(refused)).message]).toEqual([
      503,
      'Recordings cannot be reached right now.',
    ]);
    await nothingKept(conversationId);
    await uploaded(conversationId);
  });
});

describe('the description of the API', () => {
  it('names both routes, what they take and what they answer', async () => {
    const { paths } = (await app.server.inject('/api/openapi.json')).json();
    const sending = paths['/api/conversations/{id}/audio'].post;
    expect(sending.requestBody.content['multipart/form-data'].schema).toMatchObject({
      required: ['audio', 'transcript'],
      properties: { audio: { format: 'binary' }, transcript: { type: 'string' } },
    });
    expect(Object.keys(sending.responses)).toEqual(['200', '201', '4XX', '5XX']);
    const hearing = paths['/api/recordings/{id}'].get;
    expect(hearing.security).toEqual([{ token: [] }, {}]);
    expect(hearing.responses['206'].content).toHaveProperty('audio/*');
    expect(hearing.parameters.map(({ name }: { name: string }) => name)).toEqual([
      'expires',
      'signature',
      'viewer',
      'id',
    ]);
  });
});

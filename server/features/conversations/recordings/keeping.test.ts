import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { joinSounds, type Sound } from '#server/audio/sound';
import { contacts, conversations, messages, recordings, users } from '#server/database/schema';
import { createMp3Encoder } from '#server/engines/encoding/mp3';
import { createFakeMediaStore, type FakeMediaStore } from '#server/engines/storage/fake';
import type { ContactScope } from '#server/lib/scope';
import { aConversation, aMessage, aScope, aUser } from '../../../../tests/factories.ts';
import { openTestDatabase, type TestDatabase } from '../../../../tests/support/test-database.ts';
import { unscanned } from '../../../../tests/support/unscanned.ts';
import { openRecordings } from './open.ts';
import { RecordingsRepository } from './repository.ts';
import type { RecordingsDependencies, RecordingsService } from './service.ts';

const encoder = createMp3Encoder();
const speech = (seconds: number): Sound => ({
  samples: Float32Array.from({ length: seconds * 22_050 }, (_, n) => Math.sin(n / 10) / 3),
  sampleRate: 22_050,
});

let database: TestDatabase;
let store: FakeMediaStore;
let now: number;
let failures: unknown[];
let userId: string;
let scope: ContactScope;
let mayKeep: boolean;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await encoder.close();
  await database.close();
});
beforeEach(async () => {
  store = createFakeMediaStore();
  now = Date.now();
  failures = [];
  mayKeep = true;
  const user = aUser();
  userId = user.id;
  scope = aScope(userId, user.workspaceId);
  await database.db.insert(users).values(user);
});

const open = (changes: Partial<RecordingsDependencies> = {}): Promise<RecordingsService> =>
  openRecordings({
    repository: new RecordingsRepository(database.db),
    store,
    encoder,
    scans: unscanned,
    mayKeep: async () => mayKeep,
    isMasked: async () => false,
    onFailure: (_what, error) => failures.push(error),
    now: () => now,
    ...changes,
  });

async function aReply() {
  const conversation = aConversation(userId);
  await database.db.insert(conversations).values(conversation);
  const message = aMessage(conversation.id, { role: 'assistant', content: 'From nine. To five.' });
  await database.db.insert(messages).values(message);
  return { id: message.id, conversationId: conversation.id };
}

const wav = () => {
  const file = Buffer.alloc(1_044);
  file.write('RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data', 'latin1');
  return file;
};
async function* pieces(...all: Uint8Array[]) {
  yield* all;
}
const upload = async (service: RecordingsService, conversationId: string, transcript = 'Hi') => {
  const { audioUrl } = await service.upload(scope, conversationId, '127.0.0.1', async (keep) => {
    await keep(pieces(wav()));
    return transcript;
  });
  return { audioUrl: audioUrl ?? 'not kept' };
};
const rows = (conversationId: string) =>
  database.db.select().from(recordings).where(eq(recordings.conversationId, conversationId));
const taken = async () =>
  (await database.db.select().from(contacts).where(eq(contacts.id, userId)))[0]?.recordingBytes;

describe('the speech of a reply', () => {
  it('is kept as one file with its exact length, and found by its message', async () => {
    const service = await open();
    const message = await aReply();
    service.keepSpeech(scope, message, [speech(1), null, speech(2)]);
    await service.idle();
    const [row, ...others] = await rows(message.conversationId);
    const whole = await encoder.encode(joinSounds([speech(1), speech(2)]), 'later');
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      speaker: 'agent',
      messageId: message.id,
      mediaType: 'audio/mpeg',
      durationMs: whole.durationMs,
      bytes: whole.audio.byteLength,
    });
    expect(store.files.get(row?.storageKey ?? '')?.bytes).toEqual(Buffer.from(whole.audio));
    expect((await service.urlsOf(scope, [message.conversationId])).get(message.id)).toContain(row?.id);
    expect(await service.urlOf(scope, message.id)).toContain(row?.id);
    expect((await service.urlsOf(aScope(uuidv7(), scope.workspaceId), [message.conversationId])).size).toBe(
      0,
    );
    expect(failures).toEqual([]);
  });

  it('that was interrupted is kept as far as it was heard', async () => {
    const service = await open();
    const message = await aReply();
    service.keepSpeech(scope, message, [speech(1), speech(2)], 1_500);
    await service.idle();
    const [row] = await rows(message.conversationId);
    expect(Math.abs((row?.durationMs ?? 0) - 1_500)).toBeLessThan(15);
  });

  it('of which nothing was heard, or nothing spoken, is not kept', async () => {
    const service = await open();
    const message = await aReply();
    service.keepSpeech(scope, message, [speech(1)], 0);
    service.keepSpeech(scope, message, [null]);
    service.keepSpeech(scope, message, []);
    await service.idle();
    expect(await rows(message.conversationId)).toEqual([]);
    expect(store.files.size).toBe(0);
  });

  it('is shortened when it is interrupted after it was stored, or while it is being stored', async () => {
    const service = await open();
    const message = await aReply();
    service.keepSpeech(scope, message, [speech(2)]);
    service.cutSpeech(scope, message, 800);
    await service.idle();
    const [row, ...others] = await rows(message.conversationId);
    expect([Math.abs((row?.durationMs ?? 0) - 800) < 15, others]).toEqual([true, []]);
    expect([...store.files.keys()]).toEqual([row?.storageKey]);
    service.cutSpeech(scope, message, 5_000);
    await service.idle();
    expect((await rows(message.conversationId))[0]?.id).toBe(row?.id);
    service.cutSpeech(scope, message, 0);
    await service.idle();
    expect(await rows(message.conversationId)).toEqual([]);
    expect([store.files.size, await taken()]).toEqual([0, 0]);
  });

  it('leaves nothing when its conversation has gone meanwhile, and fails nobody', async () => {
    const service = await open();
    const message = await aReply();
    await database.db.delete(conversations).where(eq(conversations.id, message.conversationId));
    service.keepSpeech(scope, message, [speech(1)]);
    await service.idle();
    expect([store.files.size, failures]).toEqual([0, []]);
  });

  it('is given up when the store is away: that is told, once', async () => {
    const away = { ...createFakeMediaStore(), put: async () => Promise.reject(new Error('away')) };
    const service = await open({ store: away });
    service.keepSpeech(scope, await aReply(), [speech(1)]);
    await service.idle();
    expect(failures).toEqual([new Error('away')]);
  });
});

describe('the room for recordings', () => {
  it('ends for a conversation, which says so and takes no more', async () => {
    const service = await open({ bounds: { conversationBytes: 2_500 } });
    const { conversationId } = await aReply();
    await upload(service, conversationId);
    await upload(service, conversationId);
    await expect(upload(service, conversationId)).rejects.toMatchObject({
      status: 409,
      message: 'This conversation cannot hold more recordings. Start a new call to record more.',
    });
    expect([store.files.size, (await rows(conversationId)).length]).toEqual([2, 2]);
    await upload(service, (await aReply()).conversationId);
  });

  it('ends for a user over all conversations, and is free again when one is deleted', async () => {
    const service = await open({ bounds: { userBytes: 2_500 } });
    const [first, second] = [await aReply(), await aReply()];
    await upload(service, first.conversationId);
    await upload(service, second.conversationId);
    await expect(upload(service, second.conversationId)).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/^Your recordings take all the space .* Delete old conversations/),
    });
    await database.db.delete(conversations).where(eq(conversations.id, first.conversationId));
    expect(await taken()).toBe(1_044);
    await upload(service, second.conversationId);
  });

  it('is refused before anything is read', async () => {
    const service = await open({ bounds: { conversationCount: 0 } });
    const { conversationId } = await aReply();
    let wasRead = false;
    const refused = service.upload(scope, conversationId, '127.0.0.1', async () => {
      wasRead = true;
      return '';
    });
    await expect(refused).rejects.toMatchObject({ status: 409 });
    expect(wasRead).toBe(false);
  });

  it('is not overrun by many recordings at once', async () => {
    const service = await open({ bounds: { userBytes: 3_200 } });
    const replies = await Promise.all(Array.from({ length: 4 }, aReply));
    const sent = await Promise.allSettled(
      replies.map(({ conversationId }) => upload(service, conversationId)),
    );
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect([store.files.size, await taken()]).toEqual([3, 3 * 1_044]);
  });

  it('that replies fill takes nothing from the call', async () => {
    const service = await open({ bounds: { userBytes: 100 } });
    service.keepSpeech(scope, await aReply(), [speech(1)]);
    await service.idle();
    expect([store.files.size, failures]).toEqual([0, []]);
  });

  it('is for four uploads of one user at a time', async () => {
    const service = await open();
    const { conversationId } = await aReply();
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const waiting = Array.from({ length: 4 }, () =>
      service.upload(scope, conversationId, '127.0.0.1', async (keep) => {
        await finished;
        await keep(pieces(wav()));
        return 'Hi';
      }),
    );
    await expect(upload(service, conversationId)).rejects.toMatchObject({ status: 429, retryAfterMs: 5_000 });
    finish();
    await Promise.all(waiting);
    await upload(service, conversationId);
  });
});

describe('the sweep', () => {
  const minutes = (count: number) => count * 60_000;

  it('removes what no row knows once it is old enough, and nothing else', async () => {
    const service = await open();
    const message = await aReply();
    service.keepSpeech(scope, message, [speech(1)]);
    await service.idle();
    const [kept = ''] = store.files.keys();
    const [namespace = ''] = kept.split('/');
    const gone = `${namespace}/${uuidv7()}/${uuidv7()}`;
    const half = `${kept.slice(0, -36)}${uuidv7()}.${uuidv7()}.part`;
    const foreign = [
      `${uuidv7()}/${uuidv7()}/${uuidv7()}`,
      `${namespace}/notes.txt`,
      `${namespace}/a/readme`,
    ];
    for (const key of [gone, half, ...foreign])
      await store.put(key, pieces(Buffer.from('x')), { mediaType: 'audio/mpeg' });
    await service.sweep();
    expect(store.files.size).toBe(6);
    now += minutes(11);
    await service.sweep();
    expect([...store.files.keys()].sort()).toEqual([kept, ...foreign].sort());
    expect(failures).toEqual([]);
  });

  it('removes a half-written copy of a recording that was stored after all', async () => {
    const service = await open();
    service.keepSpeech(scope, await aReply(), [speech(1)]);
    await service.idle();
    const [kept = ''] = store.files.keys();
    await store.put(`${kept}.${uuidv7()}.part`, pieces(Buffer.from('x')), { mediaType: 'audio/mpeg' });
    now += minutes(11);
    await service.sweep();
    expect([...store.files.keys()]).toEqual([kept]);
  });

  it('removes recordings whose message never came, a day later', async () => {
    const service = await open();
    const { conversationId } = await aReply();
    await upload(service, conversationId);
    now += minutes(23 * 60);
    await service.sweep();
    expect(await rows(conversationId)).toHaveLength(1);
    now += minutes(2 * 60);
    await service.sweep();
    expect([await rows(conversationId), store.files.size, await taken()]).toEqual([[], 0, 0]);
  });

  it('goes through many', async () => {
    const service = await open();
    service.keepSpeech(scope, await aReply(), [speech(1)]);
    await service.idle();
    const [kept = ''] = store.files.keys();
    for (let n = 0; n < 1_200; n++)
      await store.put(`${kept.slice(0, -36)}${uuidv7()}`, pieces(), { mediaType: 'audio/mpeg' });
    now += minutes(11);
    await Promise.all([service.sweep(), service.sweep()]);
    expect([...store.files.keys()]).toEqual([kept]);
  });

  it('tells that a store is away, and goes on the next time', async () => {
    const away = createFakeMediaStore();
    // biome-ignore lint/correctness/useYield: a store that is away lists nothing.
    away.list = async function* () {
      throw new Error('away');
    };
    const service = await open({ store: away });
    await service.sweep();
    await service.sweep();
    expect(failures).toEqual([new Error('away'), new Error('away')]);
  });

  it('ends when the server does', async () => {
    const service = await open();
    await service.close(1_000);
    now += minutes(11);
    await store.put(`x/${uuidv7()}`, pieces(), { mediaType: 'audio/mpeg' });
    await service.sweep();
    expect(store.files.size).toBe(1);
  });
});

describe('what is said hands-free', () => {
  const sound = (seconds: number, sampleRate = 16_000) => ({
    samples: Float32Array.from({ length: seconds * sampleRate }, (_, n) => Math.sin(n / 20) / 3),
    sampleRate,
  });

  it('is kept small, with its length, for its message', async () => {
    const service = await open();
    const message = await aReply();
    service.keepUtterance(scope, message, sound(2));
    await service.idle();
    const [row] = await rows(message.conversationId);
    expect(row).toMatchObject({
      speaker: 'customer',
      messageId: message.id,
      mediaType: 'audio/mpeg',
      durationMs: 2_000,
    });
    expect(row?.bytes).toBeLessThan(20_000);
    expect(store.files.get(row?.storageKey ?? '')?.bytes.byteLength).toBe(row?.bytes);
    expect((await service.playableIn(scope, [message.conversationId], userId)).get(message.id)).toEqual({
      audioUrl: expect.stringContaining(row?.id ?? 'no row'),
      durationMs: 2_000,
    });
  });

  it('does not take the place of a recording that the message has', async () => {
    const service = await open();
    const message = await aReply();
    service.keepSpeech(scope, message, [speech(1)]);
    await service.idle();
    service.keepUtterance(scope, message, sound(2));
    await service.idle();
    expect((await rows(message.conversationId)).map(({ durationMs }) => durationMs)).toEqual([1_000]);
  });

  it('is not kept without a sound in it, nor for a conversation of somebody else', async () => {
    const service = await open();
    const message = await aReply();
    service.keepUtterance(scope, message, sound(0));
    service.keepUtterance(aScope(uuidv7(), scope.workspaceId), message, sound(1));
    await service.idle();
    expect([await rows(message.conversationId), store.files.size, failures]).toEqual([[], 0, []]);
  });

  it('that comes faster than it is encoded is dropped, told, and taken again later', async () => {
    const service = await open();
    const [first, second, third] = [await aReply(), await aReply(), await aReply()];
    const encoding: (() => void)[] = [];
    const busy = await open({
      encoder: {
        ...encoder,
        encode: () =>
          new Promise((resolve) => {
            encoding.push(() => resolve(encoder.encode(speech(1), 'later')));
          }),
      },
    });
    const flood = { samples: new Float32Array(15_000_000), sampleRate: 16_000 };
    busy.keepUtterance(scope, first, flood);
    busy.keepUtterance(scope, second, flood);
    expect(failures).toEqual([new Error('Too much sound waits to be encoded.')]);
    await expect.poll(() => encoding.length).toBe(1);
    for (const finish of encoding) finish();
    await busy.idle();
    service.keepUtterance(scope, third, sound(1));
    await service.idle();
    expect(
      await Promise.all([first, second, third].map(async (each) => (await rows(each.conversationId)).length)),
    ).toEqual([1, 0, 1]);
  });

  it('that cannot be encoded is told and fails nothing', async () => {
    const service = await open();
    const message = await aReply();
    service.keepUtterance(scope, message, { samples: new Float32Array(10), sampleRate: 7 });
    await service.idle();
    expect(failures).toEqual([expect.any(RangeError)]);
  });
});

describe('somebody who wants no recordings to be kept', () => {
  it('has neither the voice of their calls nor their own kept', async () => {
    mayKeep = false;
    const service = await open();
    const message = await aReply();
    service.keepSpeech(scope, message, [speech(1)]);
    service.keepUtterance(scope, message, { samples: new Float32Array(16_000), sampleRate: 16_000 });
    expect(await upload(service, message.conversationId)).toEqual({ audioUrl: 'not kept' });
    await service.idle();
    expect([await rows(message.conversationId), store.files.size, await taken(), failures]).toEqual([
      [],
      0,
      0,
      [],
    ]);
  });

  it('still has what was kept before', async () => {
    const service = await open();
    const message = await aReply();
    service.keepSpeech(scope, message, [speech(1)]);
    await service.idle();
    mayKeep = false;
    expect((await service.playableIn(scope, [message.conversationId], userId)).size).toBe(1);
    expect(await service.urlOf(scope, message.id)).toBeTypeOf('string');
  });

  it('is told what is wrong with a recording all the same', async () => {
    mayKeep = false;
    const service = await open();
    const { conversationId } = await aReply();
    const send = (audio: Uint8Array, transcript = 'Hi') =>
      service.upload(scope, conversationId, '127.0.0.1', async (keep) => {
        await keep(pieces(audio));
        return transcript;
      });
    await expect(send(Buffer.from('no sound'))).rejects.toMatchObject({ status: 415 });
    await expect(send(wav(), ' ')).rejects.toMatchObject({ status: 400 });
    await expect(
      service.upload(scope, uuidv7(), '127.0.0.1', async (keep) => {
        await keep(pieces(wav()));
        return 'Hi';
      }),
    ).rejects.toMatchObject({ status: 404 });
  });

  it('has nothing kept either while their wish cannot be looked up', async () => {
    const away = new Error('away');
    const service = await open({ mayKeep: () => Promise.reject(away) });
    const message = await aReply();
    service.keepSpeech(scope, message, [speech(1)]);
    await service.idle();
    expect([await rows(message.conversationId), failures]).toEqual([[], [away]]);
  });
});

describe('two servers on one database', () => {
  it('know each other’s links and keep their bytes in one place', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const first = await aReply();
    const { audioUrl } = await upload(one, first.conversationId);
    const url = new URL(audioUrl, 'http://sigma');
    const id = url.pathname.split('/').at(-1) ?? '';
    expect(await other.find(id, { query: Object.fromEntries(url.searchParams) })).toMatchObject({ id });
    await upload(other, first.conversationId);
    expect(new Set([...store.files.keys()].map((key) => key.split('/')[0])).size).toBe(1);
  });

  it('do not know the links of a server on another database', async () => {
    const other = await openTestDatabase();
    try {
      const stranger = await open({ repository: new RecordingsRepository(other.db) });
      const { conversationId } = await aReply();
      const { audioUrl } = await upload(await open(), conversationId);
      const url = new URL(audioUrl, 'http://sigma');
      const asked = stranger.find(url.pathname.split('/').at(-1) ?? '', {
        query: Object.fromEntries(url.searchParams),
      });
      await expect(asked).rejects.toMatchObject({ status: 403, message: 'This link is not valid.' });
    } finally {
      await other.close();
    }
  });

  it('let a link expire', async () => {
    const service = await open();
    const { conversationId } = await aReply();
    const url = new URL((await upload(service, conversationId)).audioUrl, 'http://sigma');
    now += 12 * 60 * 60_000;
    const asked = service.find(url.pathname.split('/').at(-1) ?? '', {
      query: Object.fromEntries(url.searchParams),
    });
    await expect(asked).rejects.toMatchObject({
      status: 403,
      message: 'This link has expired. Open the conversation again.',
    });
  });
});

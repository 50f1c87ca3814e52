import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dispose } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as WorkerThreads from '#server/threads/worker-thread';
import { Peer } from '../../../../tests/support/room-peers.ts';
import type { RoomEvent, RoomsEngine } from '../contract.ts';
import { createEmbeddedRooms } from './engine.ts';

const SOON = { interval: 20 };
const threads = vi.hoisted(
  (): Pick<WorkerThreads.WorkerThread<{ hang: () => void }>, 'call' | 'terminate'>[] => [],
);
/** The same thread, plus a method that never returns. */
const support = new URL('../../../../tests/support/', import.meta.url).href;

vi.mock('#server/threads/worker-thread', async (importOriginal) => {
  const real = await importOriginal<typeof WorkerThreads>();
  return {
    ...real,
    startWorkerThread: (...[, , options]: Parameters<typeof real.startWorkerThread>) => {
      const thread = real.startWorkerThread(`${support}x.ts`, './hanging-rooms.worker', options);
      threads.push(thread);
      return thread;
    },
  };
});

afterAll(() => dispose());

const breakOff = async () => threads.at(-1)?.terminate();
/** An endless loop in the thread: it stops answering and never ends by itself. */
const hang = async () =>
  void threads
    .at(-1)
    ?.call('hang', undefined)
    .catch(() => {});

describe('a room server whose thread', () => {
  let dataDir: string;
  let rooms: RoomsEngine;
  let events: RoomEvent[];
  let errors: [text: unknown, about: unknown][];
  let peers: Peer[];

  beforeEach(async () => {
    [threads.length, events, errors, peers] = [0, [], [], []];
    dataDir = await mkdtemp(join(tmpdir(), 'sigma-rooms-'));
    rooms = createEmbeddedRooms({
      dataDir,
      keys: null,
      ports: null,
      externalAddress: null,
      hangMs: 3_000,
      logger: {
        warn: () => {},
        error: (...[about, text]: unknown[]) => void errors.push([text, about]),
      },
    });
    rooms.onEvent((event) => events.push(event));
    await rooms.ready;
  });
  afterEach(async () => {
    await Promise.all(peers.map((peer) => peer.leave()));
    await rooms.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const connect = async (identity: string) => {
    const peer = new Peer(identity);
    peers.push(peer);
    const token = await rooms.token({ room: 'lobby', identity, name: identity, ttlMs: 60_000 });
    await peer.room.connect(rooms.internalUrl, token, { autoSubscribe: true, dynacast: false });
    return peer;
  };

  it.each([
    ['breaks off', breakOff, null],
    ['hangs', hang, new Error('The worker ./hanging-rooms.worker hangs.')],
  ] as const)(
    'that %s starts again under the same address, and those who were there come back and hear each other',
    async (_what, stop, reason) => {
      const before = rooms.internalUrl;
      const [ann, bob] = [await connect('ann'), await connect('bob')];
      await ann.hum(440);
      await expect.poll(() => bob.hears('ann', 440), SOON).toBeGreaterThan(0.02);
      await stop();
      await expect
        .poll(() => [ann.happened, bob.happened].every((all) => all.includes('reconnected')), SOON)
        .toBe(true);
      expect(threads).toHaveLength(2);
      expect(rooms.internalUrl).toBe(before);
      expect(rooms.status().state).toBe('ready');
      expect(errors).toEqual([['the room server stopped', { err: reason }]]);
      // Sound received before the restart counts for a second at most.
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      await expect.poll(() => bob.hears('ann', 440), SOON).toBeGreaterThan(0.02);
      const identities = (await rooms.listParticipants('lobby')).map(({ identity }) => identity);
      expect(identities.sort()).toEqual(['ann', 'bob']);
    },
  );

  it('breaks off says that its rooms are over, and answers for itself until it is there again', async () => {
    await rooms.createRoom('lobby');
    await expect.poll(() => events.map(({ type }) => type), SOON).toEqual(['room_started']);
    await breakOff();
    await expect.poll(() => events.map(({ type }) => type), SOON).toEqual(['room_started', 'room_finished']);
    expect(events[1]?.roomSid).toBe(events[0]?.roomSid);
    expect(rooms.status()).toEqual({ state: 'loading', message: 'Voice rooms are starting.' });
    await expect(rooms.listParticipants('lobby')).rejects.toMatchObject({
      name: 'EngineError',
      retryable: true,
    });
    await expect.poll(() => rooms.status().state, SOON).toBe('ready');
    expect(await rooms.listParticipants('lobby')).toEqual([]);
  });

  it('breaks off stays closed once it was closed', async () => {
    await breakOff();
    await rooms.close();
    // Longer than the delay before the first restart.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(threads).toHaveLength(1);
  });
});

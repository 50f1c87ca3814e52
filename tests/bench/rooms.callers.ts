// People in rooms for benchRooms, in a process of their own, with LiveKit's own client for Node.js.
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import {
  AudioFrame,
  AudioSource,
  AudioStream,
  dispose,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';

export interface CallersTask {
  url: string;
  apiKey: string;
  apiSecret: string;
  /** The number of people in one room, and of speakers among them. */
  people: number;
  speakers: number;
  /** How long all are there before and during the measurement, in milliseconds. */
  settleMs: number;
  measureMs: number;
}

export interface CallersResult {
  joinMs: number[];
  /** Subscriptions that brought sound, and the expected number. */
  heard: number;
  expected: number;
  /** From a beep of the first speaker to its sound at a listener, in milliseconds. */
  delayMs: number[];
}

const RATE = 48_000;
const FRAME = 480;
const BEEP_EVERY_MS = 1_000;
const BEEP_MS = 60;

process.on('message', (task: CallersTask) => void run(task));

async function run(task: CallersTask): Promise<void> {
  const result: CallersResult = {
    joinMs: [],
    heard: 0,
    expected: task.speakers * (task.people - 1),
    delayMs: [],
  };
  let beepAt = 0;
  let isMeasuring = false;
  let isOver = false;
  const rooms: Room[] = [];
  for (let n = 0; n < task.people; n++) {
    const identity = `p${n}`;
    const token = new AccessToken(task.apiKey, task.apiSecret, { identity });
    token.addGrant({ roomJoin: true, room: 'bench' });
    const room = new Room();
    rooms.push(room);
    room.on(RoomEvent.TrackSubscribed, async (track, _publication, participant) => {
      let hasHeard = false;
      let wasLoud = false;
      for await (const { data } of new AudioStream(track, RATE, 1)) {
        if (isOver) break;
        const isLoud = data.some((sample) => Math.abs(sample) > 4_000);
        if (isLoud && !hasHeard) {
          hasHeard = true;
          result.heard++;
        }
        if (isLoud && !wasLoud && participant.identity === 'p0' && isMeasuring) {
          const delay = performance.now() - beepAt;
          if (delay < BEEP_EVERY_MS - 200) result.delayMs.push(delay);
        }
        wasLoud = isLoud;
      }
    });
    const start = performance.now();
    await room.connect(task.url, await token.toJwt(), { autoSubscribe: true, dynacast: false });
    result.joinMs.push(performance.now() - start);
    if (n < task.speakers) void speak(room, n === 0);
  }

  async function speak(room: Room, isFirst: boolean): Promise<void> {
    const source = new AudioSource(RATE, 1, 40);
    const track = LocalAudioTrack.createAudioTrack('microphone', source);
    await room.localParticipant?.publishTrack(
      track,
      new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE, dtx: false }),
    );
    const start = performance.now();
    for (let at = 0; !isOver; at += FRAME) {
      const beepsNow = ((at / RATE) * 1000) % BEEP_EVERY_MS < BEEP_MS;
      // Room noise between beeps, so that every frame is sent.
      const loudness = beepsNow ? 14_000 : 300;
      const samples = Int16Array.from({ length: FRAME }, (_, i) =>
        beepsNow
          ? loudness * Math.sin((2 * Math.PI * 700 * (at + i)) / RATE)
          : loudness * (Math.random() - 0.5),
      );
      // A microphone's pace: a frame is ready when its 10 ms are over.
      const due = start + ((at + FRAME) / RATE) * 1000 - performance.now();
      if (due > 2) await pause(due);
      if (isFirst && beepsNow && ((at / RATE) * 1000) % BEEP_EVERY_MS < 10) beepAt = performance.now();
      await source.captureFrame(new AudioFrame(samples, RATE, 1, FRAME));
    }
  }

  await pause(task.settleMs);
  process.send?.('settled');
  isMeasuring = true;
  await pause(task.measureMs);
  isMeasuring = false;
  process.send?.('measured');
  isOver = true;
  await Promise.all(rooms.map((room) => room.disconnect()));
  await dispose();
  process.send?.(result);
  await pause(100);
  process.exit(0);
}

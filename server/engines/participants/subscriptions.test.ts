import { TrackKind, TrackSource } from '@livekit/rtc-node';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Subscriptions } from './subscriptions.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function published(source: TrackSource, track?: object) {
  const asked: boolean[] = [];
  const kind = TrackKind.KIND_AUDIO;
  return { kind, source, sid: `TR_${source}`, track, asked, setSubscribed: (is: boolean) => asked.push(is) };
}

it('asks again for a microphone that is not heard, and for nothing else', () => {
  const lost = published(TrackSource.SOURCE_MICROPHONE);
  const heard = published(TrackSource.SOURCE_MICROPHONE, {});
  const screen = published(TrackSource.SOURCE_SCREENSHARE_AUDIO);
  const remoteParticipants = new Map(
    [lost, heard, screen].map((publication, n) => [
      `person ${n}`,
      { trackPublications: new Map([[publication.sid, publication]]) },
    ]),
  );
  const subscriptions = new Subscriptions({ remoteParticipants });
  for (const publication of [lost, heard, screen]) subscriptions.ask(publication);
  subscriptions.begin();
  vi.advanceTimersByTime(1_000);
  expect(lost.asked).toEqual([true]);
  vi.advanceTimersByTime(1_000);
  lost.track = {};
  vi.advanceTimersByTime(5_000);
  subscriptions.close();
  expect([lost, heard, screen].map(({ asked }) => asked)).toEqual([[true, false, true], [true], []]);
});

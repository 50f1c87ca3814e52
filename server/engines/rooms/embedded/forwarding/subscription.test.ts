import { TrackInfo } from '@livekit/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { readRtcp } from '#server/engines/rooms/embedded/media/rtcp';
import { type RtpPacket, readRtp } from '#server/engines/rooms/embedded/media/rtp';
import { Publication } from './publication.ts';
import { Subscription } from './subscription.ts';

const none = { audioLevel: 0, mid: 0, rid: 0 };

describe('a subscription', () => {
  let sent: RtpPacket[];
  let toPublisher: Buffer[];
  let publication: Publication;
  let subscription: Subscription;
  let isConnected: boolean;

  const packet = (sequence: number, more: Partial<RtpPacket> = {}): RtpPacket => ({
    ssrc: 1,
    payloadType: 96,
    marker: false,
    padded: false,
    sequence: sequence & 0xffff,
    timestamp: (sequence * 960) >>> 0,
    payload: Buffer.from([sequence & 0xff]),
    audioLevel: -1,
    mid: '',
    rid: '',
    ...more,
  });
  const createPublication = (kind: 'audio' | 'video') =>
    new Publication({
      info: new TrackInfo({ sid: 'TR_one' }),
      clientId: 'one',
      kind,
      send: (packets) => toPublisher.push(Buffer.concat(packets)),
      onLevel: () => {},
    });

  beforeEach(() => {
    sent = [];
    toPublisher = [];
    isConnected = true;
    publication = createPublication('video');
    publication.negotiated({ payloadType: 96, repairs: true });
    subscription = new Subscription(publication, 'PA_one', {
      get isConnected() {
        return isConnected;
      },
      sendRtp: (header, payload) => sent.push(readRtp(header, payload, none)),
      forgetSource: () => {},
    });
    subscription.start('3', 102);
  });

  const steps = () => sent.slice(1).map(({ sequence }, n) => (sequence - (sent[n]?.sequence ?? 0)) & 0xffff);

  it('sends under its own source and payload type, in the same steps', () => {
    for (const n of [65_534, 65_535, 65_536, 65_538]) publication.receive(packet(n));
    expect(steps()).toEqual([1, 1, 2]);
    expect(new Set(sent.map(({ ssrc }) => ssrc))).toEqual(new Set([subscription.ssrc]));
    expect(sent[0]).toMatchObject({ payloadType: 102, payload: Buffer.from([254]) });
    expect(((sent[3]?.timestamp ?? 0) - (sent[0]?.timestamp ?? 0)) >>> 0).toBe(4 * 960);
  });

  it('leaves no gap where the publisher was muted or nobody looked', () => {
    publication.receive(packet(1));
    publication.info.muted = true;
    for (let n = 2; n < 50; n++) publication.receive(packet(n));
    publication.info.muted = false;
    publication.receive(packet(50));
    subscription.isPaused = true;
    publication.receive(packet(51));
    subscription.isPaused = false;
    publication.receive(packet(52));
    isConnected = false;
    publication.receive(packet(53));
    isConnected = true;
    publication.receive(packet(54));
    expect(steps()).toEqual([1, 1, 1]);
    // A packet from before the gap is too late: its number is taken.
    publication.receive(packet(49));
    expect(sent).toHaveLength(4);
  });

  it('runs on when the publisher begins a stream anew', () => {
    publication.receive(packet(1));
    publication.receive(packet(40_000, { ssrc: 2, timestamp: 5 }));
    publication.receive(packet(40_001, { ssrc: 2, timestamp: 3_005 }));
    expect(steps()).toEqual([1, 1]);
    const [first, second, third] = sent.map(({ timestamp }) => timestamp);
    expect(((second ?? 0) - (first ?? 0)) >>> 0).toBeLessThan(90_000);
    expect(((third ?? 0) - (second ?? 0)) >>> 0).toBe(3_000);
  });

  it('sends again what the client missed, and nothing else', () => {
    for (let n = 1; n <= 20; n++) publication.receive(packet(n));
    const missed = sent[4];
    subscription.resend([missed?.sequence ?? 0, ((sent[0]?.sequence ?? 0) - 1) & 0xffff]);
    expect(sent).toHaveLength(21);
    expect(sent[20]).toEqual(missed);
  });

  it('asks the publisher for a key frame when it begins, and not for each that wants one', () => {
    publication.receive(packet(1));
    for (let n = 0; n < 10; n++) publication.requestKeyframe();
    const asked = toPublisher
      .flatMap((compound) => readRtcp(compound))
      .filter(({ type }) => type === 'keyframe-request');
    expect(asked).toEqual([{ type: 'keyframe-request', ssrc: 1 }]);
    publication.close();
  });

  it('asks the publisher again for what got lost on its way here', () => {
    publication.receive(packet(1));
    publication.receive(packet(4));
    const asked = toPublisher.flatMap((compound) => readRtcp(compound)).find(({ type }) => type === 'nack');
    expect(asked).toEqual({ type: 'nack', ssrc: 1, sequences: [2, 3] });
    publication.close();
  });

  it('tells how its clock stands to the publisher, and measures the way there and back', () => {
    publication.receive(packet(1));
    expect(subscription.clockReports()).toEqual([]);
    publication.onSenderReport({
      type: 'sender-report',
      ssrc: 1,
      ntpSeconds: 3_900_000_000,
      ntpFraction: 0,
      rtpTimestamp: 960,
      packets: 1,
      bytes: 1,
    });
    const [report] = readRtcp(Buffer.concat(subscription.clockReports()));
    if (report?.type !== 'sender-report') throw new Error('There must be a report.');
    expect(report).toMatchObject({ ssrc: subscription.ssrc, ntpSeconds: 3_900_000_000, packets: 1 });
    const shift = (report.rtpTimestamp - (sent[0]?.timestamp ?? 0)) >>> 0;
    expect(shift).toBeLessThan(90_000);
    subscription.onReport({
      ssrc: subscription.ssrc,
      fractionLost: 0.1,
      lost: 1,
      highest: 1,
      jitter: 90,
      lastSenderReport: (((report.ntpSeconds & 0xffff) << 16) | (report.ntpFraction >>> 16)) >>> 0,
      delaySinceSenderReport: 0,
    });
    expect(subscription.delivery).toMatchObject({ fractionLost: 0.1, jitterMs: 1 });
    expect(subscription.delivery?.roundTripMs).toBeGreaterThanOrEqual(0);
  });
});

import { describe, expect, it } from 'vitest';
import {
  keyframeRequest,
  maximumBitrate,
  nack,
  readRtcp,
  receiverReport,
  senderReport,
  sourceName,
} from './rtcp.ts';

describe('RTCP', () => {
  it('reads the reports and requests it writes, in one packet', () => {
    const block = {
      ssrc: 9,
      fractionLost: 0.25,
      lost: -3,
      highest: 70_000,
      jitter: 12,
      lastSenderReport: 0xdeadbeef,
      delaySinceSenderReport: 65_536,
    };
    const report = {
      ssrc: 5,
      ntpSeconds: 3_900_000_000,
      ntpFraction: 1 << 30,
      rtpTimestamp: 48_000,
      packets: 10,
      bytes: 900,
    };
    const compound = Buffer.concat([
      receiverReport(1, [block]),
      senderReport(report),
      sourceName(5, 'PA_someone'),
      nack(1, 9, [100, 101, 116, 117, 65_535, 0]),
      keyframeRequest(1, 9),
      maximumBitrate(1, 9, 3_000_000),
    ]);
    expect(compound.length % 4).toBe(0);
    expect(readRtcp(compound)).toEqual([
      { type: 'report', block },
      { type: 'sender-report', ...report },
      { type: 'nack', ssrc: 9, sequences: [100, 101, 116, 117, 65_535, 0] },
      { type: 'keyframe-request', ssrc: 9 },
    ]);
  });

  it('says a bitrate as REMB does: 18 bits and an exponent', () => {
    const packet = maximumBitrate(1, 9, 3_000_000);
    const word = packet.readUInt32BE(16);
    expect([word >>> 24, (word & 0x3ffff) * 2 ** ((word >>> 18) & 0x3f)]).toEqual([1, 3_000_000]);
  });

  it('reads a full intra request as one for each stream it names', () => {
    const request = Buffer.from('84ce00060000000100000000' + '0000000901000000' + '0000000a02000000', 'hex');
    expect(readRtcp(request)).toEqual([
      { type: 'keyframe-request', ssrc: 9 },
      { type: 'keyframe-request', ssrc: 10 },
    ]);
  });

  it('passes over a packet that is only a header, of whatever kind it says it is', () => {
    for (const type of [200, 201, 202, 203, 205, 206])
      expect(readRtcp(Buffer.concat([Buffer.from([0x81, type, 0, 0]), keyframeRequest(1, 2)]))).toEqual([
        { type: 'keyframe-request', ssrc: 2 },
      ]);
  });

  it('stops where a packet no longer makes sense, and takes no flood of requests', () => {
    const good = keyframeRequest(1, 9);
    const broken = Buffer.concat([good, Buffer.from([0x80, 206, 0xff, 0xff, 0, 0, 0, 0])]);
    expect(readRtcp(broken)).toHaveLength(1);
    for (let length = 0; length < broken.length; length++) readRtcp(broken.subarray(0, length));
    const flood = nack(
      1,
      9,
      Array.from({ length: 1_000 }, (_, n) => (n * 20) & 0xffff),
    );
    const [item] = readRtcp(flood);
    expect(item?.type === 'nack' ? item.sequences.length : 0).toBeLessThanOrEqual(150);
  });
});

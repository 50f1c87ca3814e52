import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SrtcpSession, SrtpSession } from 'werift';
import { headerLength, readRtp, writeHeader } from './rtp.ts';
import {
  AEAD_AES_128_GCM,
  AES_CM_128_HMAC_SHA1_80,
  keyLengths,
  Srtp,
  type SrtpKeys,
  type SrtpProfile,
} from './srtp.ts';

const profiles: [string, SrtpProfile][] = [
  ['AEAD_AES_128_GCM', AEAD_AES_128_GCM],
  ['AES_CM_128_HMAC_SHA1_80', AES_CM_128_HMAC_SHA1_80],
];

const newKeys = (profile: SrtpProfile): SrtpKeys => {
  const { key, salt } = keyLengths(profile);
  return {
    localKey: randomBytes(key),
    localSalt: randomBytes(salt),
    remoteKey: randomBytes(key),
    remoteSalt: randomBytes(salt),
  };
};
const mirrored = (keys: SrtpKeys): SrtpKeys => ({
  localKey: keys.remoteKey,
  localSalt: keys.remoteSalt,
  remoteKey: keys.localKey,
  remoteSalt: keys.localSalt,
});
const header = (sequence: number, ssrc = 7) =>
  writeHeader({ ssrc, payloadType: 111, marker: false, padded: false, sequence, timestamp: 960 * sequence });
const report = Buffer.from('80c90001000000070000000000000000', 'hex');

describe.each(profiles)('SRTP with %s', (_name, profile) => {
  const pair = () => {
    const keys = newKeys(profile);
    return { keys, near: new Srtp(profile, keys), far: new Srtp(profile, mirrored(keys)) };
  };

  it('reads what it wrote, over several turns of the sequence number', () => {
    const { near, far } = pair();
    for (let n = 65_000; n < 65_000 + 2 * 65_536; n += 97) {
      const payload = Buffer.from(`packet ${n}`);
      const sealed = near.protect(header(n & 0xffff), payload, 7, n & 0xffff);
      expect(far.unprotect(sealed)?.payload).toEqual(payload);
    }
  });

  it('reads packets in any order around a turn, each once', () => {
    const { near, far } = pair();
    const sent = [65_533, 65_534, 65_535, 0, 1, 2].map((sequence) =>
      near.protect(header(sequence), Buffer.from([sequence & 0xff]), 7, sequence),
    );
    const order = [0, 2, 1, 4, 3, 5];
    expect(order.map((n) => far.unprotect(sent[n] ?? Buffer.alloc(0))?.payload[0])).toEqual([
      253, 255, 254, 1, 0, 2,
    ]);
    expect(order.map((n) => far.unprotect(sent[n] ?? Buffer.alloc(0)))).toEqual(new Array(6).fill(null));
  });

  it('reads nothing that was changed, cut short or made with other keys', () => {
    const { near, far } = pair();
    const sealed = near.protect(header(1), Buffer.from('hello'), 7, 1);
    for (let at = 0; at < sealed.length; at++) {
      const broken = Buffer.from(sealed);
      broken[at] = (broken[at] ?? 0) ^ 0x40;
      expect(far.unprotect(broken)).toBeNull();
      expect(far.unprotect(sealed.subarray(0, at))).toBeNull();
    }
    expect(new Srtp(profile, newKeys(profile)).unprotect(sealed)).toBeNull();
    expect(far.unprotect(sealed)?.payload.toString()).toBe('hello');
  });

  it('secures RTCP, each packet once', () => {
    const { near, far } = pair();
    const sealed = near.protectRtcp(report);
    expect(far.unprotectRtcp(sealed)).toEqual(report);
    expect(far.unprotectRtcp(sealed)).toBeNull();
    const broken = near.protectRtcp(report);
    broken[9] = (broken[9] ?? 0) ^ 1;
    expect(far.unprotectRtcp(broken)).toBeNull();
    expect(far.unprotectRtcp(Buffer.alloc(10))).toBeNull();
  });

  it('agrees with another implementation, both ways', () => {
    const { keys, near } = pair();
    const session = {
      profile,
      keys: {
        localMasterKey: keys.remoteKey,
        localMasterSalt: keys.remoteSalt,
        remoteMasterKey: keys.localKey,
        remoteMasterSalt: keys.localSalt,
      },
    };
    const sealed = near.protect(header(9), Buffer.from('to them'), 7, 9);
    expect(new SrtpSession(session).decrypt(sealed).subarray(12).toString()).toBe('to them');
    const rtcp = new SrtcpSession(session);
    expect(rtcp.decrypt(near.protectRtcp(report))).toEqual(report);
    expect(near.unprotectRtcp(rtcp.encrypt(report))).toEqual(report);
  });
});

describe('an RTP header', () => {
  const ids = { audioLevel: 1, mid: 4, rid: 10 };
  const withExtension = (profile: number, extension: Buffer) => {
    const bare = header(3);
    bare[0] = 0x90;
    const head = Buffer.alloc(4);
    head.writeUInt16BE(profile);
    head.writeUInt16BE(extension.length / 4, 2);
    return Buffer.concat([bare, head, extension]);
  };

  it('tells loudness, section and layer, in short and long extensions', () => {
    const short = withExtension(0xbede, Buffer.from([0x10, 0x80 | 35, 0x41, 0x31, 0x32, 0xa0, 0x66, 0x00]));
    expect(readRtp(short, Buffer.alloc(0), ids)).toMatchObject({
      audioLevel: 35,
      mid: '12',
      rid: 'f',
      sequence: 3,
    });
    const long = withExtension(0x1000, Buffer.from([1, 1, 20, 0, 4, 1, 0x35, 0]));
    expect(readRtp(long, Buffer.alloc(0), ids)).toMatchObject({ audioLevel: 20, mid: '5' });
  });

  it('is no header when it is too short for what it says', () => {
    const whole = withExtension(0xbede, Buffer.alloc(8));
    expect(headerLength(whole)).toBe(24);
    for (let length = 0; length < whole.length; length++)
      expect(headerLength(whole.subarray(0, length))).toBe(-1);
    expect(headerLength(Buffer.alloc(12))).toBe(-1);
  });
});

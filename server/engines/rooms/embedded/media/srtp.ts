import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { headerLength } from './rtp.ts';

/** SRTP protection profiles by their DTLS numbers (RFC 5764, RFC 7714). */
export const AEAD_AES_128_GCM = 7;
export const AES_CM_128_HMAC_SHA1_80 = 1;
export type SrtpProfile = typeof AEAD_AES_128_GCM | typeof AES_CM_128_HMAC_SHA1_80;

export interface SrtpKeys {
  localKey: Buffer;
  localSalt: Buffer;
  remoteKey: Buffer;
  remoteSalt: Buffer;
}

/** Lengths of key and salt in bytes. */
export const keyLengths = (profile: SrtpProfile) => ({
  key: 16,
  salt: profile === AEAD_AES_128_GCM ? 12 : 14,
});

/** Most sources of a peer; our clients use fewer. */
const MAX_SOURCES = 64;
const REPLAY_WINDOW = 512;
const TAG_GCM = 16;
const TAG_SHA1 = 10;

/**
 * Encrypts and decrypts RTP and RTCP with the keys of one DTLS handshake: AEAD_AES_128_GCM (RFC 7714) or
 * AES_CM_128_HMAC_SHA1_80 (RFC 3711). Reading returns null for packets that fail authentication or are
 * replayed.
 */
export class Srtp {
  readonly #profile: SrtpProfile;
  readonly #local: SessionKeys;
  readonly #remote: SessionKeys;
  readonly #sent = new Map<number, Rollover>();
  readonly #received = new Map<number, Rollover & { seen: Float64Array }>();
  readonly #receivedRtcp = new Map<number, number>();
  #rtcpIndex = 0;

  constructor(profile: SrtpProfile, keys: SrtpKeys) {
    this.#profile = profile;
    this.#local = deriveKeys(keys.localKey, keys.localSalt);
    this.#remote = deriveKeys(keys.remoteKey, keys.remoteSalt);
  }

  /** @param header without CSRCs and extensions, from writeHeader */
  protect(header: Buffer, payload: Buffer, ssrc: number, sequence: number): Buffer {
    let source = this.#sent.get(ssrc);
    if (!source) {
      source = { highest: sequence };
      this.#sent.set(ssrc, source);
    }
    const index = packetIndex(source.highest, sequence);
    if (index > source.highest) source.highest = index;
    const rollover = Math.floor(index / 0x10000);
    if (this.#profile === AEAD_AES_128_GCM) {
      const cipher = createCipheriv(
        'aes-128-gcm',
        this.#local.rtp.key,
        gcmIv(this.#local.rtp.salt, ssrc, rollover, sequence),
      );
      cipher.setAAD(header);
      const sealed = cipher.update(payload);
      cipher.final();
      return Buffer.concat([header, sealed, cipher.getAuthTag()]);
    }
    const cipher = createCipheriv(
      'aes-128-ctr',
      this.#local.rtp.key,
      ctrIv(this.#local.rtp.salt, ssrc, rollover, sequence),
    );
    const sealed = cipher.update(payload);
    return Buffer.concat([header, sealed, rtpTag(this.#local.rtp.auth, [header, sealed], rollover)]);
  }

  /** Drops the state of a source that has ended. */
  forgetSent(ssrc: number): void {
    this.#sent.delete(ssrc);
  }

  unprotect(packet: Buffer): { header: Buffer; payload: Buffer } | null {
    const length = headerLength(packet);
    const tag = this.#profile === AEAD_AES_128_GCM ? TAG_GCM : TAG_SHA1;
    if (length < 0 || packet.length < length + tag) return null;
    const sequence = packet.readUInt16BE(2);
    const ssrc = packet.readUInt32BE(8);
    const known = this.#received.get(ssrc);
    const index = known ? packetIndex(known.highest, sequence) : sequence;
    if (known && (index <= known.highest - REPLAY_WINDOW || known.seen[index % REPLAY_WINDOW] === index + 1))
      return null;
    if (!known && this.#received.size >= MAX_SOURCES) return null;
    const header = packet.subarray(0, length);
    const sealed = packet.subarray(length, packet.length - tag);
    const payload = this.#open(packet, header, sealed, ssrc, Math.floor(index / 0x10000), sequence);
    if (!payload) return null;
    const source = known ?? { highest: index, seen: new Float64Array(REPLAY_WINDOW) };
    if (!known) this.#received.set(ssrc, source);
    source.seen[index % REPLAY_WINDOW] = index + 1;
    if (index > source.highest) source.highest = index;
    return { header, payload };
  }

  #open(
    packet: Buffer,
    header: Buffer,
    sealed: Buffer,
    ssrc: number,
    rollover: number,
    sequence: number,
  ): Buffer | null {
    const { rtp } = this.#remote;
    if (this.#profile === AEAD_AES_128_GCM) {
      const decipher = createDecipheriv('aes-128-gcm', rtp.key, gcmIv(rtp.salt, ssrc, rollover, sequence));
      decipher.setAAD(header);
      decipher.setAuthTag(packet.subarray(packet.length - TAG_GCM));
      return opened(decipher, sealed);
    }
    const tag = rtpTag(rtp.auth, [header, sealed], rollover);
    if (!timingSafeEqual(tag, packet.subarray(packet.length - TAG_SHA1))) return null;
    return createDecipheriv('aes-128-ctr', rtp.key, ctrIv(rtp.salt, ssrc, rollover, sequence)).update(sealed);
  }

  /** @param packet a compound RTCP packet */
  protectRtcp(packet: Buffer): Buffer {
    this.#rtcpIndex = (this.#rtcpIndex + 1) % 0x80000000;
    const { rtcp } = this.#local;
    const ssrc = packet.readUInt32BE(4);
    const head = packet.subarray(0, 8);
    const trailer = Buffer.allocUnsafe(4);
    trailer.writeUInt32BE((this.#rtcpIndex | 0x80000000) >>> 0);
    if (this.#profile === AEAD_AES_128_GCM) {
      const cipher = createCipheriv('aes-128-gcm', rtcp.key, gcmRtcpIv(rtcp.salt, ssrc, this.#rtcpIndex));
      cipher.setAAD(Buffer.concat([head, trailer]));
      const sealed = cipher.update(packet.subarray(8));
      cipher.final();
      return Buffer.concat([head, sealed, cipher.getAuthTag(), trailer]);
    }
    const cipher = createCipheriv('aes-128-ctr', rtcp.key, ctrRtcpIv(rtcp.salt, ssrc, this.#rtcpIndex));
    const sealed = cipher.update(packet.subarray(8));
    return Buffer.concat([head, sealed, trailer, sha1Tag(rtcp.auth, [head, sealed, trailer])]);
  }

  unprotectRtcp(packet: Buffer): Buffer | null {
    const gcm = this.#profile === AEAD_AES_128_GCM;
    const overhead = gcm ? TAG_GCM + 4 : TAG_SHA1 + 4;
    if (packet.length < 8 + overhead) return null;
    const ssrc = packet.readUInt32BE(4);
    const trailerAt = gcm ? packet.length - 4 : packet.length - TAG_SHA1 - 4;
    const trailer = packet.subarray(trailerAt, trailerAt + 4);
    const word = trailer.readUInt32BE(0);
    const index = word & 0x7fffffff;
    // Our peers always encrypt, so an unencrypted packet is not theirs.
    if (word >>> 31 !== 1) return null;
    const highest = this.#receivedRtcp.get(ssrc);
    if (highest !== undefined && index <= highest) return null;
    if (highest === undefined && this.#receivedRtcp.size >= MAX_SOURCES) return null;
    const { rtcp } = this.#remote;
    const head = packet.subarray(0, 8);
    let plain: Buffer | null;
    if (gcm) {
      const decipher = createDecipheriv('aes-128-gcm', rtcp.key, gcmRtcpIv(rtcp.salt, ssrc, index));
      decipher.setAAD(Buffer.concat([head, trailer]));
      decipher.setAuthTag(packet.subarray(trailerAt - TAG_GCM, trailerAt));
      plain = opened(decipher, packet.subarray(8, trailerAt - TAG_GCM));
    } else {
      const tag = sha1Tag(rtcp.auth, [packet.subarray(0, trailerAt + 4)]);
      if (!timingSafeEqual(tag, packet.subarray(trailerAt + 4))) return null;
      plain = createDecipheriv('aes-128-ctr', rtcp.key, ctrRtcpIv(rtcp.salt, ssrc, index)).update(
        packet.subarray(8, trailerAt),
      );
    }
    if (!plain) return null;
    this.#receivedRtcp.set(ssrc, index);
    return Buffer.concat([head, plain]);
  }
}

interface Rollover {
  /** Sequence number extended across rollovers. */
  highest: number;
}

/** The extended index nearest to the previous one (RFC 3711, 3.3.1). */
function packetIndex(highest: number, sequence: number): number {
  const distance = ((sequence - highest + 0x8000) & 0xffff) - 0x8000;
  const index = highest + distance;
  return index < 0 ? sequence : index;
}

interface SessionKeys {
  rtp: { key: Buffer; auth: Buffer; salt: Buffer };
  rtcp: { key: Buffer; auth: Buffer; salt: Buffer };
}

/** RFC 3711, 4.3; a shorter salt (RFC 7714, 11) is padded with zeroes. */
function deriveKeys(masterKey: Buffer, masterSalt: Buffer): SessionKeys {
  const derive = (label: number, bytes: number) => {
    const iv = Buffer.alloc(16);
    masterSalt.copy(iv);
    iv[7] = (iv[7] ?? 0) ^ label;
    return createCipheriv('aes-128-ctr', masterKey, iv).update(Buffer.alloc(bytes));
  };
  const keys = (first: number) => ({
    key: derive(first, 16),
    auth: derive(first + 1, 20),
    salt: derive(first + 2, 14),
  });
  return { rtp: keys(0), rtcp: keys(3) };
}

// Ciphers copy their input, so one buffer each serves every packet.
const gcmVector = Buffer.alloc(12);
const ctrVector = Buffer.alloc(16);

function gcmIv(salt: Buffer, ssrc: number, rollover: number, sequence: number): Buffer {
  salt.copy(gcmVector, 0, 0, 12);
  xor32(gcmVector, 2, ssrc);
  xor32(gcmVector, 6, rollover);
  gcmVector.writeUInt16BE(gcmVector.readUInt16BE(10) ^ sequence, 10);
  return gcmVector;
}

function gcmRtcpIv(salt: Buffer, ssrc: number, index: number): Buffer {
  salt.copy(gcmVector, 0, 0, 12);
  xor32(gcmVector, 2, ssrc);
  xor32(gcmVector, 8, index);
  return gcmVector;
}

function ctrIv(salt: Buffer, ssrc: number, rollover: number, sequence: number): Buffer {
  ctrVector.fill(0);
  salt.copy(ctrVector, 0, 0, 14);
  xor32(ctrVector, 4, ssrc);
  xor32(ctrVector, 8, rollover);
  ctrVector.writeUInt16BE(ctrVector.readUInt16BE(12) ^ sequence, 12);
  return ctrVector;
}

function ctrRtcpIv(salt: Buffer, ssrc: number, index: number): Buffer {
  ctrVector.fill(0);
  salt.copy(ctrVector, 0, 0, 14);
  xor32(ctrVector, 4, ssrc);
  xor32(ctrVector, 10, index);
  return ctrVector;
}

const xor32 = (buffer: Buffer, at: number, value: number) =>
  buffer.writeUInt32BE((buffer.readUInt32BE(at) ^ value) >>> 0, at);

function rtpTag(key: Buffer, parts: Buffer[], rollover: number): Buffer {
  const counter = Buffer.allocUnsafe(4);
  counter.writeUInt32BE(rollover);
  return sha1Tag(key, [...parts, counter]);
}

function sha1Tag(key: Buffer, parts: Buffer[]): Buffer {
  const hmac = createHmac('sha1', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest().subarray(0, TAG_SHA1);
}

function opened(decipher: { update(data: Buffer): Buffer; final(): Buffer }, sealed: Buffer): Buffer | null {
  const plain = decipher.update(sealed);
  try {
    decipher.final();
    return plain;
  } catch {
    return null;
  }
}

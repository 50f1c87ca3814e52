import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The part of STUN (RFC 8489) that an ICE-lite agent needs: binding requests and their answers. */
const MAGIC_COOKIE = 0x2112a442;
const BINDING_REQUEST = 0x0001;
const BINDING_SUCCESS = 0x0101;
const USERNAME = 0x0006;
const MESSAGE_INTEGRITY = 0x0008;
const XOR_MAPPED_ADDRESS = 0x0020;
const USE_CANDIDATE = 0x0025;
const FINGERPRINT = 0x8028;
const HEADER = 20;

export interface BindingRequest {
  transactionId: Buffer;
  /** The two ends' fragments (RFC 8445): ours first. */
  localFragment: string;
  nominates: boolean;
  isSignedWith(password: string): boolean;
}

/** First byte: 0 or 1 is STUN, 20 to 63 DTLS, 128 to 191 RTP and RTCP (RFC 7983). */
export const isStun = (packet: Buffer) => packet.length >= HEADER && (packet[0] ?? 255) < 2;

/** @returns null if it is not a binding request */
export function readBindingRequest(packet: Buffer): BindingRequest | null {
  if (packet.length < HEADER || packet.readUInt16BE(0) !== BINDING_REQUEST) return null;
  if (packet.readUInt32BE(4) !== MAGIC_COOKIE || packet.readUInt16BE(2) !== packet.length - HEADER)
    return null;
  let username = '';
  let integrityAt = -1;
  let nominates = false;
  for (let at = HEADER; at + 4 <= packet.length; ) {
    const type = packet.readUInt16BE(at);
    const length = packet.readUInt16BE(at + 2);
    if (at + 4 + length > packet.length) return null;
    if (type === USERNAME) username = packet.toString('utf8', at + 4, at + 4 + length);
    else if (type === USE_CANDIDATE) nominates = true;
    else if (type === MESSAGE_INTEGRITY && length === 20) {
      integrityAt = at;
      break;
    }
    at += 4 + length + ((4 - (length % 4)) % 4);
  }
  if (integrityAt < 0 || !username.includes(':')) return null;
  return {
    transactionId: packet.subarray(8, HEADER),
    localFragment: username.slice(0, username.indexOf(':')),
    nominates,
    isSignedWith: (password) =>
      timingSafeEqual(
        integrity(packet.subarray(0, integrityAt), password),
        packet.subarray(integrityAt + 4, integrityAt + 24),
      ),
  };
}

export function bindingSuccess(
  request: BindingRequest,
  from: { address: string; port: number },
  password: string,
): Buffer {
  const mapped = mappedAddress(from, request.transactionId);
  const head = Buffer.alloc(HEADER + mapped.length);
  head.writeUInt16BE(BINDING_SUCCESS, 0);
  head.writeUInt32BE(MAGIC_COOKIE, 4);
  request.transactionId.copy(head, 8);
  mapped.copy(head, HEADER);
  const signed = Buffer.concat([head, attribute(MESSAGE_INTEGRITY, integrity(head, password))]);
  // The length must already include the fingerprint.
  signed.writeUInt16BE(signed.length - HEADER + 8, 2);
  const fingerprint = Buffer.alloc(4);
  fingerprint.writeUInt32BE((crc32(signed) ^ 0x5354554e) >>> 0);
  return Buffer.concat([signed, attribute(FINGERPRINT, fingerprint)]);
}

/** HMAC over all preceding bytes, with a length that includes the HMAC itself. */
function integrity(before: Buffer, password: string): Buffer {
  const head = Buffer.from(before.subarray(0, HEADER));
  head.writeUInt16BE(before.length - HEADER + 24, 2);
  return createHmac('sha1', password).update(head).update(before.subarray(HEADER)).digest();
}

function attribute(type: number, value: Buffer): Buffer {
  const head = Buffer.allocUnsafe(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value]);
}

function mappedAddress({ address, port }: { address: string; port: number }, transactionId: Buffer): Buffer {
  const bytes = addressBytes(address);
  const value = Buffer.alloc(4 + bytes.length);
  value[1] = bytes.length === 4 ? 1 : 2;
  value.writeUInt16BE(port ^ (MAGIC_COOKIE >>> 16), 2);
  const mask = Buffer.alloc(16);
  mask.writeUInt32BE(MAGIC_COOKIE);
  transactionId.copy(mask, 4);
  bytes.forEach((byte, n) => {
    value[4 + n] = byte ^ (mask[n] ?? 0);
  });
  return attribute(XOR_MAPPED_ADDRESS, value);
}

/** The 4 or 16 bytes of an address. */
export function addressBytes(address: string): number[] {
  if (!address.includes(':')) return address.split('.').map(Number);
  const [left = '', right] = (address.split('%')[0] ?? '').split('::');
  const groups = (part: string | undefined) =>
    (part ? part.split(':') : []).flatMap((group) =>
      group.includes('.') ? pairs(group.split('.').map(Number)) : [Number.parseInt(group, 16)],
    );
  const head = groups(left);
  const tail = groups(right);
  const all =
    right === undefined ? head : [...head, ...new Array(8 - head.length - tail.length).fill(0), ...tail];
  return all.flatMap((group: number) => [group >> 8, group & 0xff]);
}

const pairs = ([a = 0, b = 0, c = 0, d = 0]: number[]) => [(a << 8) | b, (c << 8) | d];

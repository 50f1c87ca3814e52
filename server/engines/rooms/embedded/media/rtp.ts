/** A decrypted RTP packet (RFC 3550). `payload` still includes padding if `padded`. */
export interface RtpPacket {
  ssrc: number;
  payloadType: number;
  marker: boolean;
  padded: boolean;
  sequence: number;
  timestamp: number;
  payload: Buffer;
  /** Loudness of its audio as -dBov, 0 (loudest) to 127 (RFC 6464); -1 if not stated. */
  audioLevel: number;
  /** Media section (RFC 8843); empty if not stated. */
  mid: string;
  /** Simulcast layer (RFC 8852); empty if not stated. */
  rid: string;
}

/** Ids of the header extensions in use; 0 if not negotiated. */
export interface ExtensionIds {
  audioLevel: number;
  mid: number;
  rid: number;
}

const HEADER_BYTES = 12;

/** Length of the RTP header with CSRCs and extensions, in bytes; -1 if the packet is too short. */
export function headerLength(packet: Buffer): number {
  if (packet.length < HEADER_BYTES) return -1;
  const first = packet[0] ?? 0;
  if (first >> 6 !== 2) return -1;
  let length = HEADER_BYTES + 4 * (first & 0x0f);
  if (first & 0x10) {
    if (packet.length < length + 4) return -1;
    length += 4 + 4 * packet.readUInt16BE(length + 2);
  }
  return length <= packet.length ? length : -1;
}

/** Parses a packet from its header (with CSRCs and extensions) and payload. */
export function readRtp(header: Buffer, payload: Buffer, ids: ExtensionIds): RtpPacket {
  const first = header[0] ?? 0;
  const second = header[1] ?? 0;
  const packet: RtpPacket = {
    ssrc: header.readUInt32BE(8),
    payloadType: second & 0x7f,
    marker: (second & 0x80) !== 0,
    padded: (first & 0x20) !== 0,
    sequence: header.readUInt16BE(2),
    timestamp: header.readUInt32BE(4),
    payload,
    audioLevel: -1,
    mid: '',
    rid: '',
  };
  if (first & 0x10) readExtensions(header, HEADER_BYTES + 4 * (first & 0x0f), packet, ids);
  return packet;
}

/** Parses one-byte and two-byte extensions (RFC 8285). */
function readExtensions(header: Buffer, start: number, packet: RtpPacket, ids: ExtensionIds): void {
  const profile = header.readUInt16BE(start);
  const oneByte = profile === 0xbede;
  if (!oneByte && profile >> 4 !== 0x100) return;
  let at = start + 4;
  while (at < header.length) {
    const head = header[at] ?? 0;
    if (head === 0) {
      at += 1;
      continue;
    }
    const id = oneByte ? head >> 4 : head;
    if (oneByte && id === 15) return;
    const length = oneByte ? (head & 0x0f) + 1 : (header[at + 1] ?? 0);
    at += oneByte ? 1 : 2;
    if (at + length > header.length) return;
    if (id === ids.audioLevel && length > 0) packet.audioLevel = (header[at] ?? 0) & 0x7f;
    else if (id === ids.mid) packet.mid = header.toString('latin1', at, at + length);
    else if (id === ids.rid) packet.rid = header.toString('latin1', at, at + length);
    at += length;
  }
}

/** A header without CSRCs and extensions. */
export function writeHeader(fields: {
  ssrc: number;
  payloadType: number;
  marker: boolean;
  padded: boolean;
  sequence: number;
  timestamp: number;
}): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header[0] = fields.padded ? 0xa0 : 0x80;
  header[1] = (fields.marker ? 0x80 : 0) | fields.payloadType;
  header.writeUInt16BE(fields.sequence, 2);
  header.writeUInt32BE(fields.timestamp, 4);
  header.writeUInt32BE(fields.ssrc, 8);
  return header;
}

/** Distance of `sequence` ahead of `from`, -32768 to 32767. */
export const sequenceDistance = (sequence: number, from: number): number =>
  ((sequence - from + 0x8000) & 0xffff) - 0x8000;

/** The part of RTCP (RFC 3550, RFC 4585, REMB) that a forwarding server reads and writes. */
const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const SOURCE_DESCRIPTION = 202;
const TRANSPORT_FEEDBACK = 205;
const PAYLOAD_FEEDBACK = 206;

export interface ReportBlock {
  ssrc: number;
  /** Share of the packets lost since the last report, 0 to 1. */
  fractionLost: number;
  lost: number;
  /** Extended highest sequence number. */
  highest: number;
  /** In units of the stream's clock. */
  jitter: number;
  lastSenderReport: number;
  /** In units of 1/65536 s. */
  delaySinceSenderReport: number;
}

export type RtcpItem =
  | {
      type: 'sender-report';
      ssrc: number;
      ntpSeconds: number;
      ntpFraction: number;
      rtpTimestamp: number;
      packets: number;
      bytes: number;
    }
  | { type: 'report'; block: ReportBlock }
  | { type: 'nack'; ssrc: number; sequences: number[] }
  | { type: 'keyframe-request'; ssrc: number };

/** Most packets per retransmission request; more is not worth sending again. */
const MAX_NACKS = 128;

/** @returns the items in order, up to the first that is malformed */
export function readRtcp(compound: Buffer): RtcpItem[] {
  const items: RtcpItem[] = [];
  for (let at = 0; at + 8 <= compound.length; ) {
    const first = compound[at] ?? 0;
    const end = at + 4 * (compound.readUInt16BE(at + 2) + 1);
    if (first >> 6 !== 2 || end > compound.length) break;
    // A packet of only a header, such as a BYE without sources, holds nothing.
    if (end >= at + 8) readOne(compound.subarray(at, end), compound[at + 1] ?? 0, first & 0x1f, items);
    at = end;
  }
  return items;
}

function readOne(packet: Buffer, type: number, count: number, items: RtcpItem[]): void {
  const ssrc = packet.readUInt32BE(4);
  if (type === SENDER_REPORT && packet.length >= 28) {
    items.push({
      type: 'sender-report',
      ssrc,
      ntpSeconds: packet.readUInt32BE(8),
      ntpFraction: packet.readUInt32BE(12),
      rtpTimestamp: packet.readUInt32BE(16),
      packets: packet.readUInt32BE(20),
      bytes: packet.readUInt32BE(24),
    });
    readBlocks(packet, 28, count, items);
  } else if (type === RECEIVER_REPORT) readBlocks(packet, 8, count, items);
  else if (type === TRANSPORT_FEEDBACK && count === 1 && packet.length >= 12) {
    const sequences: number[] = [];
    for (let at = 12; at + 4 <= packet.length && sequences.length < MAX_NACKS; at += 4) {
      const sequence = packet.readUInt16BE(at);
      const following = packet.readUInt16BE(at + 2);
      sequences.push(sequence);
      for (let bit = 0; bit < 16; bit++)
        if (following & (1 << bit)) sequences.push((sequence + bit + 1) & 0xffff);
    }
    items.push({ type: 'nack', ssrc: packet.readUInt32BE(8), sequences });
  } else if (type === PAYLOAD_FEEDBACK && packet.length >= 12) {
    if (count === 1) items.push({ type: 'keyframe-request', ssrc: packet.readUInt32BE(8) });
    // A full intra request lists its streams.
    else if (count === 4)
      for (let at = 12; at + 8 <= packet.length; at += 8)
        items.push({ type: 'keyframe-request', ssrc: packet.readUInt32BE(at) });
  }
}

function readBlocks(packet: Buffer, start: number, count: number, items: RtcpItem[]): void {
  for (let at = start; at + 24 <= packet.length && at < start + 24 * count; at += 24)
    items.push({
      type: 'report',
      block: {
        ssrc: packet.readUInt32BE(at),
        fractionLost: (packet[at + 4] ?? 0) / 256,
        lost: packet.readIntBE(at + 5, 3),
        highest: packet.readUInt32BE(at + 8),
        jitter: packet.readUInt32BE(at + 12),
        lastSenderReport: packet.readUInt32BE(at + 16),
        delaySinceSenderReport: packet.readUInt32BE(at + 20),
      },
    });
}

/** @param blocks at most 31 */
export function receiverReport(ssrc: number, blocks: readonly ReportBlock[]): Buffer {
  const packet = Buffer.alloc(8 + 24 * blocks.length);
  writeHead(packet, blocks.length, RECEIVER_REPORT, ssrc);
  blocks.forEach((block, n) => {
    const at = 8 + 24 * n;
    packet.writeUInt32BE(block.ssrc, at);
    packet[at + 4] = Math.min(255, Math.max(0, Math.floor(block.fractionLost * 256)));
    packet.writeIntBE(Math.max(-0x800000, Math.min(0x7fffff, block.lost)), at + 5, 3);
    packet.writeUInt32BE(block.highest >>> 0, at + 8);
    packet.writeUInt32BE(Math.min(0xffffffff, Math.round(block.jitter)), at + 12);
    packet.writeUInt32BE(block.lastSenderReport >>> 0, at + 16);
    packet.writeUInt32BE(Math.min(0xffffffff, Math.round(block.delaySinceSenderReport)), at + 20);
  });
  return packet;
}

export function senderReport(report: {
  ssrc: number;
  ntpSeconds: number;
  ntpFraction: number;
  rtpTimestamp: number;
  packets: number;
  bytes: number;
}): Buffer {
  const packet = Buffer.alloc(28);
  writeHead(packet, 0, SENDER_REPORT, report.ssrc);
  packet.writeUInt32BE(report.ntpSeconds >>> 0, 8);
  packet.writeUInt32BE(report.ntpFraction >>> 0, 12);
  packet.writeUInt32BE(report.rtpTimestamp >>> 0, 16);
  packet.writeUInt32BE(report.packets >>> 0, 20);
  packet.writeUInt32BE(report.bytes >>> 0, 24);
  return packet;
}

/** Names a source: streams with the same name are played in sync. */
export function sourceName(ssrc: number, name: string): Buffer {
  const text = Buffer.from(name).subarray(0, 255);
  const packet = Buffer.alloc(8 + 4 * Math.ceil((text.length + 3) / 4));
  writeHead(packet, 1, SOURCE_DESCRIPTION, ssrc);
  packet[8] = 1;
  packet[9] = text.length;
  text.copy(packet, 10);
  return packet;
}

export function keyframeRequest(ssrc: number, mediaSsrc: number): Buffer {
  const packet = Buffer.alloc(12);
  writeHead(packet, 1, PAYLOAD_FEEDBACK, ssrc);
  packet.writeUInt32BE(mediaSsrc, 8);
  return packet;
}

/** Requests retransmission. @param sequences in order, not empty */
export function nack(ssrc: number, mediaSsrc: number, sequences: readonly number[]): Buffer {
  const groups: { first: number; mask: number }[] = [];
  for (const sequence of sequences) {
    const group = groups.at(-1);
    const ahead = group ? (sequence - group.first) & 0xffff : 17;
    if (group && ahead >= 1 && ahead <= 16) group.mask |= 1 << (ahead - 1);
    else groups.push({ first: sequence, mask: 0 });
  }
  const packet = Buffer.alloc(12 + 4 * groups.length);
  writeHead(packet, 1, TRANSPORT_FEEDBACK, ssrc);
  packet.writeUInt32BE(mediaSsrc, 8);
  groups.forEach(({ first, mask }, n) => {
    packet.writeUInt16BE(first, 12 + 4 * n);
    packet.writeUInt16BE(mask, 14 + 4 * n);
  });
  return packet;
}

/** Tells a sender its maximum bitrate, in bits per second (draft-alvestrand-rmcat-remb). */
export function maximumBitrate(ssrc: number, mediaSsrc: number, bitsPerSecond: number): Buffer {
  const packet = Buffer.alloc(24);
  writeHead(packet, 15, PAYLOAD_FEEDBACK, ssrc);
  packet.write('REMB', 12, 'latin1');
  let exponent = 0;
  let mantissa = Math.floor(bitsPerSecond);
  while (mantissa > 0x3ffff) {
    mantissa = Math.floor(mantissa / 2);
    exponent++;
  }
  packet.writeUInt32BE(((1 << 24) | (exponent << 18) | mantissa) >>> 0, 16);
  packet.writeUInt32BE(mediaSsrc, 20);
  return packet;
}

function writeHead(packet: Buffer, count: number, type: number, ssrc: number): void {
  packet[0] = 0x80 | count;
  packet[1] = type;
  packet.writeUInt16BE(packet.length / 4 - 1, 2);
  packet.writeUInt32BE(ssrc, 4);
}

import { randomBytes } from 'node:crypto';
import { clockRates } from '#server/engines/rooms/embedded/media/codecs';
import { type ReportBlock, senderReport, sourceName } from '#server/engines/rooms/embedded/media/rtcp';
import { type RtpPacket, sequenceDistance, writeHeader } from '#server/engines/rooms/embedded/media/rtp';
import type { Transport } from '#server/engines/rooms/embedded/media/transport';
import type { Publication, Sink } from './publication.ts';

/** The part of a connection that a subscription uses. */
type SubscriptionTransport = Pick<Transport, 'isConnected' | 'sendRtp' | 'forgetSource'>;

/** Delivery statistics from the receiving client. */
interface DeliveryReport {
  /** 0 to 1. */
  fractionLost: number;
  jitterMs: number;
  /** Round trip; null until measured. */
  roundTripMs: number | null;
  at: number;
}

/** Sender reports to which a receiver may still refer. */
const REMEMBERED_REPORTS = 4;
/** Beyond this rate of repeated requests, the receiver cannot get the packet anyway. */
const MAX_RESENDS_PER_SECOND = 200;

/**
 * A publication's stream to one participant: sequence numbers without gaps where the server left packets out,
 * continuous timestamps, and a source number of its own.
 */
export class Subscription implements Sink {
  readonly publication: Publication;
  readonly ssrc = randomBytes(4).readUInt32BE(0) || 1;
  /** The publisher's session id, which names the stream to the client. */
  readonly publisherSid: string;
  /** Its media section; empty until it has one. */
  mid = '';
  delivery: DeliveryReport | null = null;
  readonly #transport: SubscriptionTransport;
  #payloadType = 0;
  #isPaused = false;
  #started = false;
  /** The publisher's source number. */
  #source = 0;
  /** The last packet sent, in the client's timestamps. */
  #last = { timestamp: 0, at: 0 };
  #sequenceOffset = 0;
  #timestampOffset = randomBytes(4).readUInt32BE(0);
  /** Sequence numbers as sent to the client. */
  #highest = 0;
  /** Packets before this number were sent with another offset. */
  #offsetSince = 0;
  #mustResume = false;
  #packets = 0;
  #bytes = 0;
  #sentReports: { middle: number; at: number }[] = [];
  #resends = { since: 0, count: 0 };

  constructor(publication: Publication, publisherSid: string, transport: SubscriptionTransport) {
    this.publication = publication;
    this.publisherSid = publisherSid;
    this.#transport = transport;
  }

  /** Starts sending in a media section that the client has accepted. */
  start(mid: string, payloadType: number): void {
    this.mid = mid;
    this.#payloadType = payloadType;
    this.publication.sinks.add(this);
    this.publication.requestKeyframe();
  }

  /**
   * Its identification in descriptions: a stream of the publisher and this track, as LiveKit's clients
   * expect.
   */
  get source(): { ssrc: number; streamId: string; trackId: string; cname: string } {
    const { sid } = this.publication.info;
    return {
      ssrc: this.ssrc,
      streamId: `${this.publisherSid}|${sid}`,
      trackId: sid,
      cname: this.publisherSid,
    };
  }

  get isPlaced(): boolean {
    return this.mid !== '';
  }

  /** The client does not show the stream and will say when that changes. */
  set isPaused(paused: boolean) {
    if (this.#isPaused === paused) return;
    this.#isPaused = paused;
    if (!paused) this.publication.requestKeyframe();
  }

  forward(packet: RtpPacket): void {
    if (this.#isPaused || !this.#transport.isConnected) {
      this.skip();
      return;
    }
    if (!this.#started) {
      this.#started = true;
      this.#highest = randomBytes(2).readUInt16BE(0);
      this.#shiftTo(packet);
      this.publication.requestKeyframe();
      this.#source = packet.ssrc;
    } else if (packet.ssrc !== this.#source) this.#follow(packet);
    else if (this.#mustResume) this.#shiftTo(packet);
    this.#mustResume = false;

    const sequence = (packet.sequence + this.#sequenceOffset) & 0xffff;
    // From before the shift: its new number would be taken already.
    if (sequenceDistance(sequence, this.#offsetSince) < 0) return;
    const ahead = sequenceDistance(sequence, this.#highest);
    if (ahead > 0) this.#highest = sequence;
    // Move the limit along, because comparison of sequence numbers wraps around.
    if (sequenceDistance(this.#highest, this.#offsetSince) > 0x4000)
      this.#offsetSince = (this.#highest - 0x2000) & 0xffff;
    this.#last = { timestamp: (packet.timestamp + this.#timestampOffset) >>> 0, at: performance.now() };
    this.#packets++;
    this.#bytes += packet.payload.length;
    this.#write(packet, sequence);
  }

  /** The next packet need not directly follow the last one in the publisher's numbering. */
  skip(): void {
    this.#mustResume = this.#started;
  }

  /** Numbers the next packet directly after the last one sent, whatever was left out in between. */
  #shiftTo(packet: RtpPacket): void {
    this.#offsetSince = (this.#highest + 1) & 0xffff;
    this.#sequenceOffset = (this.#offsetSince - packet.sequence) & 0xffff;
  }

  /** Continues in time when the publisher restarts a stream with unrelated numbers. */
  #follow(packet: RtpPacket): void {
    this.#source = packet.ssrc;
    const elapsed = ((performance.now() - this.#last.at) * clockRates[this.publication.kind]) / 1000;
    this.#timestampOffset = (this.#last.timestamp + Math.round(elapsed) - packet.timestamp) >>> 0;
    this.#shiftTo(packet);
  }

  #write(packet: RtpPacket, sequence: number): void {
    const header = writeHeader({
      ssrc: this.ssrc,
      payloadType: this.#payloadType,
      marker: packet.marker,
      padded: packet.padded,
      sequence,
      timestamp: (packet.timestamp + this.#timestampOffset) >>> 0,
    });
    this.#transport.sendRtp(header, packet.payload, this.ssrc, sequence);
  }

  /** Retransmits packets. @param sequences in the client's numbering */
  resend(sequences: readonly number[]): void {
    const now = performance.now();
    if (now - this.#resends.since > 1000) this.#resends = { since: now, count: 0 };
    for (const sequence of sequences) {
      if (sequenceDistance(sequence, this.#offsetSince) < 0) continue;
      if (++this.#resends.count > MAX_RESENDS_PER_SECOND) return;
      const packet = this.publication.history.get((sequence - this.#sequenceOffset) & 0xffff);
      if (packet) this.#write(packet, sequence);
    }
  }

  /** Relates this stream's clock to the publisher's, so that sound and picture stay in sync. */
  clockReports(): Buffer[] {
    const { clock, kind } = this.publication;
    if (!clock || this.#packets === 0) return [];
    const now = performance.now();
    const elapsedMs = now - clock.at;
    const fraction = clock.ntpFraction + (elapsedMs / 1000) * 2 ** 32;
    const ntpSeconds = (clock.ntpSeconds + Math.floor(fraction / 2 ** 32)) >>> 0;
    const ntpFraction = Math.floor(fraction % 2 ** 32);
    this.#sentReports = [
      { middle: (((ntpSeconds & 0xffff) << 16) | (ntpFraction >>> 16)) >>> 0, at: now },
      ...this.#sentReports.slice(0, REMEMBERED_REPORTS - 1),
    ];
    return [
      senderReport({
        ssrc: this.ssrc,
        ntpSeconds,
        ntpFraction,
        rtpTimestamp:
          (clock.rtpTimestamp + this.#timestampOffset + Math.round((elapsedMs * clockRates[kind]) / 1000)) >>>
          0,
        packets: this.#packets,
        bytes: this.#bytes,
      }),
      sourceName(this.ssrc, this.publisherSid),
    ];
  }

  onReport(block: ReportBlock): void {
    const now = performance.now();
    const asked = this.#sentReports.find(({ middle }) => middle === block.lastSenderReport);
    const roundTripMs = asked ? now - asked.at - (block.delaySinceSenderReport * 1000) / 65_536 : null;
    this.delivery = {
      fractionLost: block.fractionLost,
      jitterMs: (block.jitter * 1000) / clockRates[this.publication.kind],
      roundTripMs: roundTripMs === null ? (this.delivery?.roundTripMs ?? null) : Math.max(0, roundTripMs),
      at: now,
    };
  }

  /** Stops sending; the media section can be reused. */
  stop(): void {
    this.publication.sinks.delete(this);
    this.#transport.forgetSource(this.ssrc);
    this.mid = '';
  }
}

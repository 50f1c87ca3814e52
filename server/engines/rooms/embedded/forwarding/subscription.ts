import { randomBytes } from 'node:crypto';
import { clockRates } from '#server/engines/rooms/embedded/media/codecs';
import { type ReportBlock, senderReport, sourceName } from '#server/engines/rooms/embedded/media/rtcp';
import { type RtpPacket, sequenceDistance, writeHeader } from '#server/engines/rooms/embedded/media/rtp';
import type { Transport } from '#server/engines/rooms/embedded/media/transport';
import type { Publication, Sink } from './publication.ts';

/** What a subscription needs of the connection it takes. */
type SubscriptionTransport = Pick<Transport, 'isConnected' | 'sendRtp' | 'forgetSource'>;

/** What the receiving client says of a stream. */
interface DeliveryReport {
  /** 0 to 1. */
  fractionLost: number;
  jitterMs: number;
  /** There and back; null until it could be measured. */
  roundTripMs: number | null;
  at: number;
}

/** Sender reports that a receiver may still refer to. */
const REMEMBERED_REPORTS = 4;
/** A packet that is asked for more often than so is one the receiver cannot get. */
const MAX_RESENDS_PER_SECOND = 200;

/**
 * A publication on its way to one participant, as a stream of its own: sequence numbers without gaps where the server left
 * something out, timestamps that run on, and a source number nobody else has.
 */
export class Subscription implements Sink {
  readonly publication: Publication;
  readonly ssrc = randomBytes(4).readUInt32BE(0) || 1;
  /** The publisher's session, which names the stream to the client. */
  readonly publisherSid: string;
  /** The media section it is in; empty until it has one. */
  mid = '';
  delivery: DeliveryReport | null = null;
  readonly #transport: SubscriptionTransport;
  #payloadType = 0;
  #isPaused = false;
  #started = false;
  /** The publisher's own source number. */
  #source = 0;
  /** What was sent last, in the client's timestamps. */
  #last = { timestamp: 0, at: 0 };
  #sequenceOffset = 0;
  #timestampOffset = randomBytes(4).readUInt32BE(0);
  /** Sequence numbers as the client sees them. */
  #highest = 0;
  /** Before it, packets went out with another offset. */
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

  /** Begins to send, in a media section the client has agreed to. */
  start(mid: string, payloadType: number): void {
    this.mid = mid;
    this.#payloadType = payloadType;
    this.publication.sinks.add(this);
    this.publication.requestKeyframe();
  }

  /** How descriptions name it: a stream of the publisher and this track, as LiveKit's clients read it. */
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

  /** Nobody looks at it: the client said so, and says when that changes. */
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
    // From before the shift: its number would be one that is already taken.
    if (sequenceDistance(sequence, this.#offsetSince) < 0) return;
    const ahead = sequenceDistance(sequence, this.#highest);
    if (ahead > 0) this.#highest = sequence;
    // The window within which "before the shift" can be told moves along.
    if (sequenceDistance(this.#highest, this.#offsetSince) > 0x4000)
      this.#offsetSince = (this.#highest - 0x2000) & 0xffff;
    this.#last = { timestamp: (packet.timestamp + this.#timestampOffset) >>> 0, at: performance.now() };
    this.#packets++;
    this.#bytes += packet.payload.length;
    this.#write(packet, sequence);
  }

  /** The next packet need not follow in the publisher's numbers on the last one. */
  skip(): void {
    this.#mustResume = this.#started;
  }

  /** The next packet follows the last one that was sent, whatever was left out in between. */
  #shiftTo(packet: RtpPacket): void {
    this.#offsetSince = (this.#highest + 1) & 0xffff;
    this.#sequenceOffset = (this.#offsetSince - packet.sequence) & 0xffff;
  }

  /** The publisher began a stream anew, whose numbers have nothing to do with those before: time runs on all the same. */
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

  /** The client asks for packets again. @param sequences as it sees them */
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

  /** Tells the client how this stream's clock stands to the publisher's, so that sound and picture stay together. */
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

  /** Stops sending; the media section may be used for something else. */
  stop(): void {
    this.publication.sinks.delete(this);
    this.#transport.forgetSource(this.ssrc);
    this.mid = '';
  }
}

import { randomBytes } from 'node:crypto';
import type { TrackInfo } from '@livekit/protocol';
import { clockRates } from '#server/engines/rooms/embedded/media/codecs';
import {
  keyframeRequest,
  maximumBitrate,
  type RtcpItem,
  receiverReport,
} from '#server/engines/rooms/embedded/media/rtcp';
import type { RtpPacket } from '#server/engines/rooms/embedded/media/rtp';
import type { MediaKind } from '#server/engines/rooms/embedded/media/sdp';
import { PacketHistory } from './packet-history.ts';
import { Reception, type ReceptionWindow } from './reception.ts';
import { Repair } from './repair.ts';

/** Receives a published track's packets. */
export interface Sink {
  forward(packet: RtpPacket): void;
  /** Packets were left out before the next one. */
  skip(): void;
}

/** Relates the sender's clock to the server's: the publisher's last sender report. */
interface ClockReference {
  ntpSeconds: number;
  ntpFraction: number;
  rtpTimestamp: number;
  /** Arrival time by `performance.now()`. */
  at: number;
}

/** A key frame costs as much as a second of video, so receivers share one in this interval. */
const KEYFRAME_INTERVAL_MS = 500;
/** Bitrate limit of one publisher's video, in bits per second: 1080p of VP8. */
const MAX_VIDEO_BITRATE = 3_000_000;

/** A published track: takes its packets in and passes them to its sinks. */
export class Publication {
  readonly info: TrackInfo;
  /** The client's id of its track, in addTrack and in its offer. */
  readonly clientId: string;
  readonly kind: MediaKind;
  readonly history: PacketHistory;
  readonly sinks = new Set<Sink>();
  /** Its media is negotiated, so others may subscribe. */
  isLive = false;
  /** It has or had a subscriber. */
  wasWanted = false;
  ssrc = 0;
  /** The publisher's number of its codec; -1 until negotiated. */
  payloadType = -1;
  /** The selected simulcast layer; empty without simulcast. */
  rid = '';
  clock: ClockReference | null = null;
  readonly #send: (packets: readonly Buffer[]) => void;
  /** Source number of our reports: unique per track, used by no stream here. */
  readonly #ownSsrc = randomBytes(4).readUInt32BE(0);
  readonly #onLevel: (level: number) => void;
  #reception: Reception;
  readonly #repair: Repair;
  #repairs = false;
  #keyframeAskedAt = Number.NEGATIVE_INFINITY;
  #keyframeTimer: NodeJS.Timeout | null = null;

  /**
   * @param options.send sends RTCP to the publisher
   * @param options.onLevel called with the loudness of each audio packet that states it, as -dBov
   */
  constructor(options: {
    info: TrackInfo;
    clientId: string;
    kind: MediaKind;
    send: (packets: readonly Buffer[]) => void;
    onLevel: (level: number) => void;
  }) {
    this.info = options.info;
    this.clientId = options.clientId;
    this.kind = options.kind;
    this.#send = options.send;
    this.#onLevel = options.onLevel;
    this.#reception = new Reception(clockRates[this.kind]);
    this.history = new PacketHistory(this.kind === 'audio' ? 64 : 512);
    this.#repair = new Repair(
      this.kind,
      () => ({ own: this.#ownSsrc, media: this.ssrc }),
      (packet) => this.#send([this.#report(performance.now()), packet]),
    );
  }

  /** @param repairs whether the publisher retransmits lost packets */
  negotiated(options: { payloadType: number; repairs: boolean }): void {
    this.payloadType = options.payloadType;
    this.#repairs = options.repairs;
  }

  receive(packet: RtpPacket): void {
    const now = performance.now();
    if (packet.ssrc !== this.ssrc) {
      this.ssrc = packet.ssrc;
      this.clock = null;
      this.#reception = new Reception(clockRates[this.kind]);
    }
    const missing = this.#reception.add(packet.sequence, packet.timestamp, now);
    if (this.#repairs) {
      this.#repair.arrived(packet.sequence);
      this.#repair.add(missing, now);
    }
    if (this.info.muted) {
      for (const sink of this.sinks) sink.skip();
      return;
    }
    if (packet.audioLevel >= 0) this.#onLevel(packet.audioLevel);
    this.history.add(packet);
    for (const sink of this.sinks) sink.forward(packet);
  }

  onSenderReport(report: Extract<RtcpItem, { type: 'sender-report' }>): void {
    const now = performance.now();
    this.#reception.noteSenderReport(report.ntpSeconds, report.ntpFraction, now);
    this.clock = {
      ntpSeconds: report.ntpSeconds,
      ntpFraction: report.ntpFraction,
      rtpTimestamp: report.rtpTimestamp,
      at: now,
    };
  }

  /** Requests a key frame, now or as soon as the interval allows. */
  requestKeyframe(): void {
    if (this.kind !== 'video' || this.ssrc === 0 || this.#keyframeTimer) return;
    const wait = this.#keyframeAskedAt + KEYFRAME_INTERVAL_MS - performance.now();
    if (wait <= 0) {
      this.#askForKeyframe();
      return;
    }
    this.#keyframeTimer = setTimeout(() => {
      this.#keyframeTimer = null;
      this.#askForKeyframe();
    }, wait);
  }

  #askForKeyframe(): void {
    this.#keyframeAskedAt = performance.now();
    this.#send([this.#report(performance.now()), keyframeRequest(this.#ownSsrc, this.ssrc)]);
  }

  /** Reports reception to the publisher; called once a second. */
  reportBack(): void {
    if (this.ssrc === 0) return;
    const report = this.#report(performance.now());
    this.#send(
      this.kind === 'video'
        ? [report, maximumBitrate(this.#ownSsrc, this.ssrc, MAX_VIDEO_BITRATE)]
        : [report],
    );
  }

  #report(now: number): Buffer {
    return receiverReport(this.#ownSsrc, [this.#reception.report(this.ssrc, now)]);
  }

  takeWindow(): ReceptionWindow {
    return this.#reception.takeWindow();
  }

  close(): void {
    this.#repair.close();
    if (this.#keyframeTimer) clearTimeout(this.#keyframeTimer);
    this.#keyframeTimer = null;
    this.sinks.clear();
  }
}

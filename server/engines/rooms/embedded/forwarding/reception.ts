import type { ReportBlock } from '#server/engines/rooms/embedded/media/rtcp';
import { sequenceDistance } from '#server/engines/rooms/embedded/media/rtp';

/** Reception statistics of a period. */
export interface ReceptionWindow {
  expected: number;
  received: number;
  /** In milliseconds. */
  jitterMs: number;
}

/** Reception statistics of one stream: loss and jitter as in RFC 3550 (A.3, A.8). */
export class Reception {
  readonly #clockRate: number;
  #first = -1;
  #highest = -1;
  #received = 0;
  #jitter = 0;
  #lastTransit: number | null = null;
  #reported = { expected: 0, received: 0 };
  #windowed = { expected: 0, received: 0 };
  #senderReport: { middle: number; at: number } | null = null;

  constructor(clockRate: number) {
    this.#clockRate = clockRate;
  }

  /**
   * @param now in milliseconds, by a monotonic clock
   * @returns missing sequence numbers between the highest so far and this one
   */
  add(sequence: number, timestamp: number, now: number): number[] {
    this.#received++;
    if (this.#highest < 0) {
      this.#first = sequence;
      this.#highest = sequence;
      return [];
    }
    const ahead = sequenceDistance(sequence, this.#highest & 0xffff);
    if (ahead <= 0) return [];
    const missing = Array.from(
      { length: Math.min(ahead - 1, MAX_GAP) },
      (_, n) => (sequence - ahead + 1 + n) & 0xffff,
    );
    this.#highest += ahead;
    const transit = (now * this.#clockRate) / 1000 - timestamp;
    if (this.#lastTransit !== null) {
      const difference = Math.abs(transit - this.#lastTransit);
      // A pause of the source or a restarted timestamp is not jitter.
      if (difference < this.#clockRate) this.#jitter += (difference - this.#jitter) / 16;
    }
    this.#lastTransit = transit;
    return ahead > MAX_GAP ? [] : missing;
  }

  noteSenderReport(ntpSeconds: number, ntpFraction: number, now: number): void {
    this.#senderReport = { middle: (((ntpSeconds & 0xffff) << 16) | (ntpFraction >>> 16)) >>> 0, at: now };
  }

  /** The block of a receiver report; starts the next report's interval. */
  report(ssrc: number, now: number): ReportBlock {
    const expected = this.#expected();
    const expectedSince = expected - this.#reported.expected;
    const lostSince = expectedSince - (this.#received - this.#reported.received);
    this.#reported = { expected, received: this.#received };
    return {
      ssrc,
      fractionLost: expectedSince > 0 ? Math.max(0, lostSince / expectedSince) : 0,
      lost: expected - this.#received,
      highest: Math.max(0, this.#highest),
      jitter: this.#jitter,
      lastSenderReport: this.#senderReport?.middle ?? 0,
      delaySinceSenderReport: this.#senderReport ? ((now - this.#senderReport.at) * 65_536) / 1000 : 0,
    };
  }

  /** The statistics since the last call. */
  takeWindow(): ReceptionWindow {
    const expected = this.#expected();
    const window = {
      expected: expected - this.#windowed.expected,
      received: this.#received - this.#windowed.received,
      jitterMs: (this.#jitter * 1000) / this.#clockRate,
    };
    this.#windowed = { expected, received: this.#received };
    return window;
  }

  #expected(): number {
    return this.#highest < 0 ? 0 : this.#highest - this.#first + 1;
  }
}

/** A larger jump means that the source restarted, not a loss. */
const MAX_GAP = 500;

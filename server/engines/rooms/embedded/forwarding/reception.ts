import type { ReportBlock } from '#server/engines/rooms/embedded/media/rtcp';
import { sequenceDistance } from '#server/engines/rooms/embedded/media/rtp';

/** What a window of time brought in. */
export interface ReceptionWindow {
  expected: number;
  received: number;
  /** In milliseconds. */
  jitterMs: number;
}

/** Counts what arrives of one stream: loss and jitter as RFC 3550 (A.3, A.8) defines them. */
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
   * @param now in milliseconds, of a clock that only goes forward
   * @returns the sequence numbers that are missing between the highest so far and this one
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
      // A pause of the source or a timestamp that began anew is no jitter.
      if (difference < this.#clockRate) this.#jitter += (difference - this.#jitter) / 16;
    }
    this.#lastTransit = transit;
    return ahead > MAX_GAP ? [] : missing;
  }

  noteSenderReport(ntpSeconds: number, ntpFraction: number, now: number): void {
    this.#senderReport = { middle: (((ntpSeconds & 0xffff) << 16) | (ntpFraction >>> 16)) >>> 0, at: now };
  }

  /** The block of a receiver report, and the beginning of the next one's interval. */
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

  /** What came since the last time this was asked. */
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

/** A larger jump is a source that began anew, not a loss. */
const MAX_GAP = 500;

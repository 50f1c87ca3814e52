import type { RtpPacket } from '#server/engines/rooms/embedded/media/rtp';

/** The newest packets of a stream, for receivers that lost one. */
export class PacketHistory {
  readonly #packets: (RtpPacket | undefined)[];

  constructor(size: number) {
    this.#packets = new Array<RtpPacket | undefined>(size).fill(undefined);
  }

  add(packet: RtpPacket): void {
    this.#packets[packet.sequence % this.#packets.length] = packet;
  }

  get(sequence: number): RtpPacket | null {
    const packet = this.#packets[sequence % this.#packets.length];
    return packet?.sequence === sequence ? packet : null;
  }
}
